// What only a preprocessor understands.
#include <assert.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#if defined(MISSING)
#error "this part is not there"
#else
#define LIMIT 10
#endif
unsigned int nondet_uint(void);

int main(void) {
  unsigned int x = nondet_uint(), largest = 0;
  for (int i = 0; i < 3; i++) {
    x = nondet_uint() % LIMIT;
    largest = MAX(largest, x);
  }
  assert(largest < LIMIT);
  return 0;
}
