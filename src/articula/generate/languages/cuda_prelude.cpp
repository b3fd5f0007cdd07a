#include <articula/generate/internal/cuda_text.h>

namespace articula::generate {

/// x = n·π/2 + y with π/2 in three parts, so that y is accurate to the last place as long as n is exact; then the
/// polynomials of fdlibm's __kernel_sin and __kernel_cos, for floats those of Cephes, and exchange and signs by
/// quadrant. There are no branches, and no local memory, which CUDA's library uses for large angles. A reciprocal is
/// the estimate of the processor after one or two Newton steps, also without branches.
std::string cuda_prelude_text() {
  return R"(#ifdef __CUDACC__

template <class R> __device__ __forceinline__ R load(const R *from) { return __ldg(from); }
template <class R> __device__ __forceinline__ void keep(R *to, R x) { __stcs(to, x); }

/* Within 2 units in the last place up to 1e9. */
__device__ __forceinline__ void sine_and_cosine(double x, double *s, double *c)
{
  const double shifted = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
  const int quadrant = __double2loint(shifted);
  const double y = fma(n, 0x1.f1976b7ed8fbcp-110, fma(n, -0x1.1a62633145c07p-54, fma(n, -0x1.921fb54442d18p+0, x)));
  const double z = y * y;
  const double p = fma(z, fma(z, fma(z, fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08),
    2.75573137070700676789e-06), -1.98412698298579493134e-04), 8.33333333332248946124e-03);
  const double q = fma(z, fma(z, fma(z, fma(z, fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09),
    -2.75573143513906633035e-07), 2.48015872894767294178e-05), -1.38888888888741095749e-03), 4.16666666666666019037e-02);
  const double half = 0.5 * z, w = 1.0 - half;
  const double sine = fma(z * y, fma(z, p, -1.66666666666666324348e-01), y);
  const double cosine = w + fma(z * z, q, (1.0 - w) - half);
  const double a = quadrant & 1 ? cosine : sine, b = quadrant & 1 ? sine : cosine;
  *s = __hiloint2double(__double2hiint(a) ^ ((quadrant & 2) << 30), __double2loint(a));
  *c = __hiloint2double(__double2hiint(b) ^ (((quadrant + 1) & 2) << 30), __double2loint(b));
}

/* Within 2 units in the last place up to 1e5, where floats are 0.008 apart. */
__device__ __forceinline__ void sine_and_cosine(float x, float *s, float *c)
{
  const float shifted = fmaf(x, 0x1.45f306p-1f, 0x1.8p23f), n = shifted - 0x1.8p23f;
  const int quadrant = __float_as_int(shifted);
  const float y = fmaf(n, 0x1.ee59dap-50f, fmaf(n, 0x1.777a5cp-25f, fmaf(n, -0x1.921fb6p+0f, x)));
  const float z = y * y;
  const float sine = fmaf(z * y, fmaf(z, fmaf(z, -1.9515295891e-4f, 8.3321608736e-3f), -1.6666654611e-1f), y);
  const float cosine = fmaf(z * z, fmaf(z, fmaf(z, 2.443315711809948e-5f, -1.388731625493765e-3f),
    4.166664568298827e-2f), fmaf(z, -0.5f, 1.0f));
  const float a = quadrant & 1 ? cosine : sine, b = quadrant & 1 ? sine : cosine;
  *s = __int_as_float(__float_as_int(a) ^ ((quadrant & 2) << 30));
  *c = __int_as_float(__float_as_int(b) ^ (((quadrant + 1) & 2) << 30));
}

__device__ __forceinline__ double reciprocal(double x)
{
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double e = fma(-x, r, 1.0);
  r = fma(r, fma(e, e, e), r);
  return fma(r, fma(-x, r, 1.0), r);
}
__device__ __forceinline__ float reciprocal(float x)
{
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return fmaf(r, fmaf(-x, r, 1.0f), r);
}

#else /* for tests of the formulas on a processor */

template <class R> inline R load(const R *from) { return *from; }
template <class R> inline void keep(R *to, R x) { *to = x; }
template <class R> inline void sine_and_cosine(R x, R *s, R *c) { *s = sin(x), *c = cos(x); }
template <class R> inline R reciprocal(R x) { return R(1) / x; }

#endif

)";
}

}  // namespace articula::generate
