// Initialisers: nested, partial, designated, ranges, strings, addresses, elided braces.
extern int printf(const char *, ...);
struct point { int x, y; };
struct shape { const char *name; struct point corner[3]; char tag[4]; struct shape *next; int (*area)(int); };
static int square(int n) { return n * n; }
extern struct shape circle;
static struct shape box = {"box", {{1, 2}, {.y = 4}, 5, 6}, "abcd", &circle, square};
struct shape circle = {.next = &box, .tag = {'x'}, .corner[1] = {7, 8}, .corner[2].x = 9, .name = "cir" "cle" + 1};
static int sparse[10] = {1, 2, [5] = 6, 7, [2] = 3, [8 ... 9] = 4};
static int grid[][3] = {{1}, {2, 3}, 4, 5, 6, [3] = {[1] = 9}};
static char text[] = "a\0b\377\x41\101", *pointer = text + 2, exact[3] = "xyz", longer[8] = {"hi"};
static unsigned short wide[] = {L'a', 0xffff, -1};
static int *into = &grid[1][1], *past = grid[2] + 3;
static long offset = (char *)&((struct shape *)0)->tag - (char *)0;
static double half = 1 / 2.0, third = 1 / 3;
enum { A = 5, B, C = B * 2 + sizeof(int), D = -1 } e = C;
static _Bool yes = 17, no = 0.0;
static struct { int a[2]; struct { char c; short s[2]; } in; } elided = {1, 2, 'c', 3, 4};

int main(void) {
  struct shape *s = &box;
  for (int i = 0; i < 3; i++, s = s->next) {
    printf("%s %d", s->name, s->area ? s->area(i + 2) : -1);
    for (int k = 0; k < 3; k++) printf(" %d,%d", s->corner[k].x, s->corner[k].y);
    printf(" %d %d\n", s->tag[0], s->tag[3]);
  }
  for (int i = 0; i < 10; i++) printf("%d ", sparse[i]);
  for (int i = 0; i < 4; i++) for (int k = 0; k < 3; k++) printf("%d ", grid[i][k]);
  printf("\n%d %d %d %s %d %d\n", (int)sizeof text, *pointer, exact[2], longer, text[3], text[4]);
  printf("%d %d %d %d\n", wide[0], wide[1], wide[2], (int)(sizeof wide / sizeof *wide));
  printf("%d %d %ld\n", *into, (int)(past - into), offset);
  printf("%d %d %d %d %d %d\n", half == 0.5, third == 0, e, D, yes, no);
  printf("%d %d %d %d\n", elided.a[1], elided.in.c, elided.in.s[0], elided.in.s[1]);
  int local[4] = {[1] = local[1] * 0 + 3, 9}, n = local[1] + local[2];
  struct point pts[] = {[2] = {.y = n}, [0] = {4, 5}};
  printf("%d %d %d %d %d\n", (int)(sizeof pts / sizeof pts[0]), pts[0].x, pts[0].y, pts[1].x, pts[2].y);
  char word[10] = "word"; word[4] = '!';
  printf("%s %d\n", word, word[9]);
  return n;
}
