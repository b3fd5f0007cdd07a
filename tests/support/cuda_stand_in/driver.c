/* Stands in for NVIDIA's driver: one device, or as many as ARTICULA_STAND_IN_DEVICES says. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int cuInit(unsigned flags) { return flags == 0 && getenv("ARTICULA_STAND_IN_BROKEN") == NULL ? 0 : 100; }
int cuDeviceGetCount(int *count)
{
  const char *const wanted = getenv("ARTICULA_STAND_IN_DEVICES");
  *count = wanted != NULL ? atoi(wanted) : 1;
  return 0;
}
int cuDeviceGet(int *device, int k) { return *device = k, 0; }
int cuDeviceGetName(char *name, int size, int device)
{
  (void)device;
  strncpy(name, "Stand-in", (size_t)size);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
  (void)device;
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : -1;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
  (void)device;
  *bytes = 100000000;
  return 0;
}
