// expect: bounds=holds
// Arrays, structures and parameters that stand for them.
void reach_error(void);
unsigned int nondet_uint(void);

struct point {
  int x, y;
};
struct line {
  struct point ends[2];
  char name[3];
};

static void set(int *to, int value) { *to = value; }
static int sum(int values[], int count) {
  int i, s = 0;
  for (i = 0; i < count; i++) s += values[i];
  return s;
}
static void swap(struct point *p) {
  int t = p->x;
  p->x = p->y;
  (*p).y = t;
}

int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
struct line line = {{{1, 2}, {.y = 4}}, "ab"};

int main(void) {
  int local[4] = {1, 2};
  int single;
  struct point copy;
  unsigned int at = nondet_uint() % 4;
  set(&single, 5);
  set(&local[3], single);
  set(&table[1][2], 7);
  if (sum(local, 4) != 8) reach_error();
  if (table[1][2] + table[0][1] != 9 || line.name[2] != 0 || line.name[1] != 'b') reach_error();
  copy = line.ends[0];
  swap(&copy);
  swap(&line.ends[1]);
  if (copy.x != 2 || copy.y != 1 || line.ends[1].x != 4 || line.ends[1].y != 0) reach_error();
  if (local[at] > 5) reach_error();
  return 0;
}
