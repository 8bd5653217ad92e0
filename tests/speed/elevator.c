// Medium: a building with elevators and passengers, simulated in ticks. The first input is the number of rounds; each of
// the first rounds reads where a passenger waits and wants to go.
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { FLOORS = 12 };
enum { CARS = 3 };
enum { CAPACITY = 6 };
enum { QUEUE = 8 };

enum direction { DOWN = -1, IDLE = 0, UP = 1 };
enum door { CLOSED, OPENING, OPEN, CLOSING };

struct passenger {
    int from;
    int to;
    unsigned int since;
};

struct queue {
    struct passenger waiting[QUEUE];
    int first;
    int length;
};

struct car {
    int floor;
    enum direction direction;
    enum door door;
    int timer;
    struct passenger inside[CAPACITY];
    int load;
    unsigned int travelled;
};

struct building {
    struct queue queues[FLOORS];
    struct car cars[CARS];
    unsigned int now;
    unsigned int delivered;
    unsigned int refused;
    unsigned int created;
    unsigned int waited;
};

static struct building building;

static void building_init(struct building *b)
{
    for (int i = 0; i < FLOORS; i++) {
        b->queues[i].first = 0;
        b->queues[i].length = 0;
    }
    for (int i = 0; i < CARS; i++) {
        struct car *c = &b->cars[i];
        c->floor = i * (FLOORS / CARS);
        c->direction = IDLE;
        c->door = CLOSED;
        c->timer = 0;
        c->load = 0;
        c->travelled = 0;
    }
    b->now = 0;
    b->delivered = 0;
    b->refused = 0;
    b->created = 0;
    b->waited = 0;
}

static int enqueue(struct queue *q, struct passenger p)
{
    if (q->length == QUEUE)
        return 0;
    q->waiting[(q->first + q->length) % QUEUE] = p;
    q->length++;
    return 1;
}

static struct passenger dequeue(struct queue *q)
{
    struct passenger p = q->waiting[q->first];
    q->first = (q->first + 1) % QUEUE;
    q->length--;
    return p;
}

static void arrive(struct building *b, int from, int to)
{
    struct passenger p;
    if (from == to)
        return;
    p.from = from;
    p.to = to;
    p.since = b->now;
    b->created++;
    if (!enqueue(&b->queues[from], p))
        b->refused++;
}

static int anyone_above(const struct building *b, const struct car *c)
{
    for (int floor = c->floor + 1; floor < FLOORS; floor++)
        if (b->queues[floor].length > 0)
            return 1;
    for (int i = 0; i < c->load; i++)
        if (c->inside[i].to > c->floor)
            return 1;
    return 0;
}

static int anyone_below(const struct building *b, const struct car *c)
{
    for (int floor = 0; floor < c->floor; floor++)
        if (b->queues[floor].length > 0)
            return 1;
    for (int i = 0; i < c->load; i++)
        if (c->inside[i].to < c->floor)
            return 1;
    return 0;
}

static enum direction choose(const struct building *b, const struct car *c)
{
    int above = anyone_above(b, c), below = anyone_below(b, c);
    if (c->direction == UP && above)
        return UP;
    if (c->direction == DOWN && below)
        return DOWN;
    if (above)
        return UP;
    return below ? DOWN : IDLE;
}

static int wants_out(const struct car *c)
{
    for (int i = 0; i < c->load; i++)
        if (c->inside[i].to == c->floor)
            return 1;
    return 0;
}

static int should_open(const struct building *b, const struct car *c)
{
    return wants_out(c) || (b->queues[c->floor].length > 0 && c->load < CAPACITY);
}

static void unload(struct building *b, struct car *c)
{
    int kept = 0;
    for (int i = 0; i < c->load; i++) {
        if (c->inside[i].to == c->floor) {
            b->delivered++;
            b->waited += b->now - c->inside[i].since;
        } else {
            c->inside[kept] = c->inside[i];
            kept++;
        }
    }
    c->load = kept;
}

static void board(struct building *b, struct car *c)
{
    struct queue *q = &b->queues[c->floor];
    while (q->length > 0 && c->load < CAPACITY) {
        c->inside[c->load] = dequeue(q);
        c->load++;
    }
}

static void move(struct building *b, struct car *c)
{
    c->direction = choose(b, c);
    switch (c->direction) {
    case UP:
        c->floor++;
        c->travelled++;
        break;
    case DOWN:
        c->floor--;
        c->travelled++;
        break;
    case IDLE:
        break;
    }
    if (c->floor < 0 || c->floor >= FLOORS)
        reach_error();
}

static void tick_car(struct building *b, struct car *c)
{
    switch (c->door) {
    case CLOSED:
        if (should_open(b, c)) {
            c->door = OPENING;
            c->timer = 2;
        } else {
            move(b, c);
        }
        break;
    case OPENING:
        c->timer--;
        if (c->timer == 0)
            c->door = OPEN;
        break;
    case OPEN:
        unload(b, c);
        board(b, c);
        c->door = CLOSING;
        c->timer = 1;
        break;
    case CLOSING:
        c->timer--;
        if (c->timer == 0)
            c->door = CLOSED;
        break;
    }
}

static void tick(struct building *b)
{
    b->now++;
    for (int i = 0; i < CARS; i++)
        tick_car(b, &b->cars[i]);
}

static unsigned int people_inside(const struct building *b)
{
    unsigned int people = 0;
    for (int i = 0; i < CARS; i++)
        people += (unsigned int)b->cars[i].load;
    for (int i = 0; i < FLOORS; i++)
        people += (unsigned int)b->queues[i].length;
    return people;
}

static void check(const struct building *b)
{
    if (b->created != b->delivered + b->refused + people_inside(b))
        reach_error();
    for (int i = 0; i < CARS; i++)
        if (b->cars[i].load > CAPACITY)
            reach_error();
}

int main(void)
{
    unsigned int rounds = __VERIFIER_nondet_uint();
    unsigned int state = 12345u;
    int ticks = rounds < 16u ? 1 : 6;
    building_init(&building);
    for (unsigned int round = 0; round < rounds; round++) {
        int from, to;
        if (round < 3u) {
            from = __VERIFIER_nondet_uchar() % FLOORS;
            to = __VERIFIER_nondet_uchar() % FLOORS;
        } else {
            state = state * 1664525u + 1013904223u;
            from = (int)((state >> 10) % FLOORS);
            to = (int)((state >> 20) % FLOORS);
        }
        arrive(&building, from, to);
        for (int i = 0; i < ticks; i++)
            tick(&building);
        if (round % 16u == 15u)
            check(&building);
    }
    check(&building);
    unsigned int sum = building.delivered * 3u + building.waited;
    for (int i = 0; i < CARS; i++)
        sum = sum * 31u + building.cars[i].travelled;
    return (int)(sum & 0x7FFFFFFFu);
}
