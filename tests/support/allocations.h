#pragma once

// How often the program has asked the heap for memory so far: articula::test::allocations().
//
// It takes the place of malloc or operator new in the whole program, so that one file of a program includes it, and only
// programs that want to count.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "support/names.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ARTICULA_HEAP_IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ARTICULA_HEAP_IS_SANITIZED 1
#endif

namespace articula::test {

inline std::atomic<std::size_t> allocation_count{0};

inline std::size_t allocations() { return allocation_count; }

}  // namespace articula::test

#if defined(__GLIBC__) && !defined(ARTICULA_HEAP_IS_SANITIZED)

// All ways to the heap, those of Eigen and C included, pass here.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t number, std::size_t size);       // NOLINT
void* __libc_realloc(void* old, std::size_t size);               // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT

void* malloc(std::size_t size) noexcept {
  ++articula::test::allocation_count;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) noexcept {
  ++articula::test::allocation_count;
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++articula::test::allocation_count;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++articula::test::allocation_count;
  return __libc_memalign(alignment, size);
}
}

#elif defined(ARTICULA_HEAP_IS_SANITIZED)

// A sanitizer owns the heap, and tells who asks.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),  // NOLINT
                                                         void (*)(const volatile void*));

namespace articula::test {

inline const int heap_hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocation_count; }, [](const volatile void*) {});

}  // namespace articula::test

#else

// What C++ asks for is counted.
void* operator new(std::size_t size) {
  ++articula::test::allocation_count;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++articula::test::allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

#endif
