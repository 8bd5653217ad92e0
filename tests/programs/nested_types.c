// Types that contain each other: forward declarations, self references, types declared in functions and parameters.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
struct graph;
struct edge { struct vertex { int id; struct edge *out[2]; struct graph *owner; } *to; int weight; };
struct graph { struct vertex v[3]; struct edge e[3]; int (*cost)(struct graph *, struct edge); };
typedef struct { enum { SMALL, LARGE = 7 } kind; union { struct { int w, h; } box; int radius; } as; } shape;
static int cost(struct graph *g, struct edge e) { return e.weight + e.to->id * (g->e[0].weight + 1); }
static int area(shape s) { switch (s.kind) { case SMALL: return s.as.radius * 3; case LARGE: return s.as.box.w * s.as.box.h; } return -1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct graph g = {{{1}, {2}, {3}}, {{&g.v[1], 5}, {&g.v[2], n}, {&g.v[0], -1}}, cost};
  for (int i = 0; i < 3; i++) { g.v[i].out[0] = &g.e[i]; g.v[i].owner = &g; }
  struct vertex *at = g.v; int total = 0;
  for (int i = 0; i < 5; i++) { struct edge *e = at->out[0]; total += at->owner->cost(at->owner, *e); at = e->to; }
  printf("%d %d\n", total, at->id);
  shape list[] = {{SMALL, {.radius = n}}, {LARGE, {{n, 2}}}, {4}};
  for (int i = 0; i < 3; i++) printf("%d ", area(list[i]));
  struct local { struct local *self; struct graph *g; } l = {&l, &g};
  int (*matrix)[2] = (int[2][2]){{1, 2}, {3, n}}, (*(*function)(struct graph *, struct edge)) = 0;
  printf("%d %d %d\n", l.self->self->g->v[2].id, matrix[1][1], function == 0);
  return total & 63;
}
