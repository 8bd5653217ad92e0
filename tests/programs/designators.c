// Items without designator go on after the designated one, inside the object that it reached (C11 6.7.9p17).
extern int printf(const char *, ...);
struct point { int x, y; };
struct line { struct point from, to; int width; };
static struct point points[] = {[2].y = 1, [0].x = 4, 5, 6, 7};
static struct line line = {.to.x = 1, 2, 3};
static struct point elided[] = {[1] = 3, 4, 5};
static int grid[2][3] = {[0][1] = 1, 2, 3, 4};

static void show(const char *name, const int *values, int count) {
  printf("%s", name);
  for (int i = 0; i < count; i++) printf(" %d", values[i]);
  printf("\n");
}

int main(void) {
  struct line local = {.from.y = 7, 8, 9};
  show("points", &points[0].x, sizeof points / sizeof(int));
  show("line", &line.from.x, sizeof line / sizeof(int));
  show("elided", &elided[0].x, sizeof elided / sizeof(int));
  show("grid", &grid[0][0], sizeof grid / sizeof(int));
  show("local", &local.from.x, sizeof local / sizeof(int));
  return points[1].y;
}
