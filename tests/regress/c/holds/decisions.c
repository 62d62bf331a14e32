// Every kind of decision, as compilers see them: for branches that are counted.
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void assert(int condition);

static int leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > -50 && x <= 100);
  int large = x > 7 ? 1 : 0;
  int most = x > 5 ? x : 5;
  int one = x > 7 ? 3 : 9;
  switch (x % 5) {
    case 0:
    case 1:
      most++;
      break;
    case 2:
      most--;
      break;
    case 7:
    default:
      most = 3;
  }
  while (1) {
    if (x < 10 && x > 5) break;
    if (leap(x) || sign(x) < 0) return large;
    if (!(x < 80)) return 2;
    x++;
  }
  do {
    one--;
  } while (one > 0 && most);
  for (int i = 0; i < 2; i++) {
    if (i == 1 && x == 2) continue;
    if (x ? i : most) one++;
  }
  assert(x >= 0 && x < 100);
  return !(one && most);
}
