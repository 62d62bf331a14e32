// What `main` reaches is refused, all of it at once; what it does not reach does not matter.
typedef struct list {
  struct list *next;
  double value;
} list;
void *malloc(unsigned long size);
double unused(list *l) { return l->next->value * 2.0; }
int (*callback)(int);

int walk(int *p) {
  p++;
  return *p;
}

int again(int n) { return n == 0 ? 0 : again(n - 1); }

int main(void) {
  int x = 1, a[2];
  int *q;
  double d = 1.5;
  x = x++ + 1;
  q = malloc(4);
  x = d > 1;
  x = callback(1);
  x = *q;
  x = main();
  return walk(a) + again(3);
}
