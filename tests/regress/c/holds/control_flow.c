// Short circuits with effects, fall-through, jumps, and calls inside of expressions.
void reach_error(void);

int calls = 0;

static int next(int x) {
  calls++;
  return x + 1;
}

static int twice(x)
int x;
{
  return next(next(x));
}

int main(void) {
  int r = 0, i, k = 0;
  if (0 && next(1)) reach_error();
  if (calls != 0) reach_error();
  if (!(1 || next(1)) || calls) reach_error();
  r = next(1) + next(10) * next(100);
  if (r != 2 + 11 * 101 || calls != 3) reach_error();
  if (twice(5) != 7) reach_error();
  r = (calls > 2 ? next(0) : next(5)) + calls;
  if (r != 1 + 6) reach_error();
  for (i = 0; i < 5; i++) {
    switch (i) {
      case 0:
        k += 1;
      case 1:
        k += 10;
        break;
      case 2 ... 3:
        continue;
      default:
        k += 100;
    }
    k += 1000;
  }
  if (k != 1 + 10 + 10 + 100 + 3000) reach_error();
  i = 3;
again:
  if (i-- > 0) goto again;
  if (i != -1) reach_error();
  do {
    if (i == -1) continue;
    reach_error();
  } while (i++ < -1);
  k = (i = 4, i * 2);
  if (k != 8 || (k ?: 9) != 8 || (0 ?: 9) != 9) reach_error();
  r = ({ int t = k; t + 1; });
  if (r != 9) reach_error();
  return 0;
}
