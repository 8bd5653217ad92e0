// Medium: a key-value store with a pool of nodes, a hash table of linked lists, and an order of use by which entries are
// evicted. The first input is the number of rounds.
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { NODES = 96 };
enum { BUCKETS = 16 };

struct node {
    unsigned int key;
    int value;
    unsigned int hits;
    struct node *next_in_bucket;
    struct node *older;
    struct node *newer;
};

struct store {
    struct node pool[NODES];
    struct node *buckets[BUCKETS];
    struct node *free_list;
    struct node *oldest;
    struct node *newest;
    int fresh;
    int used;
    int inserted;
    int evicted;
    int removed;
};

struct counters {
    unsigned int reads;
    unsigned int found;
    unsigned int writes;
    unsigned int removals;
};

static struct store store;
static struct counters counters;

static void store_init(struct store *s)
{
    s->free_list = 0;
    s->fresh = 0;
    for (int i = 0; i < BUCKETS; i++)
        s->buckets[i] = 0;
    s->oldest = 0;
    s->newest = 0;
    s->used = 0;
    s->inserted = 0;
    s->evicted = 0;
    s->removed = 0;
}

static unsigned int hash(unsigned int key)
{
    key ^= key >> 16;
    key *= 0x7FEB352Du;
    key ^= key >> 15;
    key *= 0x846CA68Bu;
    key ^= key >> 16;
    return key;
}

static struct node **bucket_of(struct store *s, unsigned int key)
{
    return &s->buckets[hash(key) % BUCKETS];
}

static struct node *find(struct store *s, unsigned int key)
{
    struct node *at = *bucket_of(s, key);
    while (at != 0 && at->key != key)
        at = at->next_in_bucket;
    return at;
}

static void unlink_from_order(struct store *s, struct node *n)
{
    if (n->older != 0)
        n->older->newer = n->newer;
    else
        s->oldest = n->newer;
    if (n->newer != 0)
        n->newer->older = n->older;
    else
        s->newest = n->older;
    n->older = 0;
    n->newer = 0;
}

static void append_to_order(struct store *s, struct node *n)
{
    n->older = s->newest;
    n->newer = 0;
    if (s->newest != 0)
        s->newest->newer = n;
    else
        s->oldest = n;
    s->newest = n;
}

static void touch(struct store *s, struct node *n)
{
    n->hits++;
    if (s->newest != n) {
        unlink_from_order(s, n);
        append_to_order(s, n);
    }
}

static void unlink_from_bucket(struct store *s, struct node *n)
{
    struct node **link = bucket_of(s, n->key);
    while (*link != 0 && *link != n)
        link = &(*link)->next_in_bucket;
    if (*link == 0)
        reach_error();
    else
        *link = n->next_in_bucket;
}

static void release(struct store *s, struct node *n)
{
    unlink_from_bucket(s, n);
    unlink_from_order(s, n);
    n->next_in_bucket = s->free_list;
    s->free_list = n;
    s->used--;
}

static struct node *acquire(struct store *s)
{
    s->used++;
    if (s->free_list == 0 && s->fresh < NODES)
        return &s->pool[s->fresh++];
    if (s->free_list == 0) {
        s->evicted++;
        release(s, s->oldest);
    }
    struct node *n = s->free_list;
    s->free_list = n->next_in_bucket;
    return n;
}

static int store_get(struct store *s, unsigned int key, int otherwise)
{
    counters.reads++;
    struct node *n = find(s, key);
    if (n == 0)
        return otherwise;
    counters.found++;
    touch(s, n);
    return n->value;
}

static void store_put(struct store *s, unsigned int key, int value)
{
    counters.writes++;
    struct node *n = find(s, key);
    if (n == 0) {
        n = acquire(s);
        struct node **head = bucket_of(s, key);
        n->key = key;
        n->hits = 0;
        n->next_in_bucket = *head;
        *head = n;
        append_to_order(s, n);
        s->inserted++;
    } else {
        touch(s, n);
    }
    n->value = value;
}

static int store_remove(struct store *s, unsigned int key)
{
    struct node *n = find(s, key);
    if (n == 0)
        return 0;
    counters.removals++;
    s->removed++;
    release(s, n);
    return 1;
}

static int order_length(const struct store *s)
{
    int length = 0;
    for (const struct node *n = s->oldest; n != 0; n = n->newer)
        length++;
    return length;
}

static int bucket_length(const struct store *s)
{
    int length = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (const struct node *n = s->buckets[i]; n != 0; n = n->next_in_bucket)
            length++;
    return length;
}

static void check(const struct store *s)
{
    if (s->used != s->inserted - s->evicted - s->removed)
        reach_error();
    if (order_length(s) != s->used)
        reach_error();
    if (bucket_length(s) != s->used)
        reach_error();
}

static unsigned int next_random(unsigned int *state)
{
    unsigned int x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

static unsigned int work(struct store *s, unsigned int *state, int operations)
{
    unsigned int sum = 0;
    for (int i = 0; i < operations; i++) {
        unsigned int random = next_random(state);
        unsigned int key = (random >> 8) % 160u;
        switch (random & 7u) {
        case 0:
        case 1:
        case 2:
        case 3:
            sum += (unsigned int)store_get(s, key, -1);
            break;
        case 4:
        case 5:
        case 6:
            store_put(s, key, (int)(random >> 20));
            break;
        default:
            sum += (unsigned int)store_remove(s, key);
            break;
        }
    }
    return sum;
}

static unsigned int summary(const struct counters *c)
{
    return c->reads + 3u * c->found + 5u * c->writes + 7u * c->removals;
}

int main(void)
{
    unsigned int rounds = __VERIFIER_nondet_uint();
    unsigned int state = __VERIFIER_nondet_uint() | 1u;
    unsigned int sum = 0;
    counters.reads = 0;
    counters.found = 0;
    counters.writes = 0;
    counters.removals = 0;
    store_init(&store);
    int value = __VERIFIER_nondet_int();
    store_put(&store, 7u, value);
    if (store_get(&store, 7u, 0) != value)
        reach_error();
    for (unsigned int round = 0; round < rounds; round++) {
        sum = sum * 31u + work(&store, &state, rounds < 16u ? 1 : 200);
        if (round % 64u == 63u)
            check(&store);
    }
    check(&store);
    return (int)((sum + summary(&counters)) & 0x7FFFFFFFu);
}
