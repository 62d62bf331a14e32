// What intuition gets wrong: each of these is so with gcc.
#include <assert.h>
#include <limits.h>

enum color { RED = -1, GREEN };

int main(void) {
  unsigned u = 1;
  int minus = -1;
  unsigned char byte = 255;
  char c = (char)200;
  short s = 32767;
  _Bool b = 256;
  long l = -2147483648;
  enum color color = RED;
  s += 1;
  byte++;
  assert(!(minus < u));              // -1 becomes 4294967295
  assert(c == -56 && byte == 0);
  assert(s == -32768 && b == 1);
  assert(l == -2147483648L && -2147483648 < 0);
  assert((1u << 31) == 2147483648u);
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1);
  assert((unsigned char)(c + c) == 144);
  assert(color < GREEN && color == -1);
  assert((unsigned)minus == UINT_MAX && (unsigned short)minus == USHRT_MAX);
  assert(sizeof(int) == 4 && sizeof(long) == 8 && sizeof 'a' == 4 && sizeof("ab") == 3);
  assert('\xff' == -1 && '\377' == -1);
  assert((1 ? minus : u) == 4294967295u);
  assert(INT_MIN - 1 == INT_MAX);    // wraps
  assert((_Bool)0x100 == 1 && (char)0x180 == -128);
  assert(~0u == UINT_MAX && ~5 == -6 && (-8 >> 1) == -4);
  assert((minus & 7) == 7 && (minus & ~7) == -8);
  assert(0xFFFFFFFF > 0 && 4294967295 > 0 && -1 < 4294967295);
  return 0;
}
