//! The large programs, as a generator writes them: event-driven controllers, devices on a bus, and filters over arrays.

use super::writer::{PRELUDE, Writer};

const CONTROLLERS: u64 = 26;
const STATES: u64 = 8;

/// State machines that react to events, with timers and counters.
pub fn controllers() -> String {
    let mut w = Writer::new(11);
    w.line("// Large: controllers that react to events. The first input is the number of rounds.").line(PRELUDE);
    w.line(format!("enum {{ CONTROLLERS = {CONTROLLERS}, STATES = {STATES}, EVENTS = 6, HISTORY = 8 }};"));
    w.line(
        "struct controller {
            unsigned int generation;
            int state;
            int timer;
            unsigned int accepted;
            unsigned int ignored;
            int level;
            int history[HISTORY];
            int position;
            struct controller *peer;
        };
        static struct controller controllers[CONTROLLERS];
        static unsigned int generation;
        static void wake(struct controller *c, int number)
        {
            if (c->generation == generation) {
                return;
            }
            c->generation = generation;
            c->state = 0;
            c->timer = 0;
            c->accepted = 0;
            c->ignored = 0;
            c->level = 50;
            c->position = 0;
            c->peer = &controllers[(number * 7 + 3) % CONTROLLERS];
            for (int j = 0; j < HISTORY; j++) {
                c->history[j] = 0;
            }
        }
        static void enter(struct controller *c, int state)
        {
            c->history[c->position] = c->state;
            c->position = (c->position + 1) % HISTORY;
            c->state = state;
            c->accepted++;
        }
        static void change_level(struct controller *c, int by, int low, int high)
        {
            c->level += by;
            if (c->level < low)
            c->level = low;
            if (c->level > high)
            c->level = high;
        }
        static int visited(const struct controller *c, int state)
        {
            int count = 0;
            for (int i = 0; i < HISTORY; i++) {
                if (c->history[i] == state)
                count++;
            }
            return count;
        }",
    );
    for number in 0..CONTROLLERS {
        controller(&mut w, number);
    }
    w.line("static void dispatch(int number, int event, int data)\n{\nstruct controller *c = &controllers[number];\nwake(c, number);\nswitch (number) {");
    for number in 0..CONTROLLERS {
        w.line(format!("case {number}:\nstep_{number}(c, event, data);\nbreak;"));
    }
    w.line("default:\nreach_error();\nbreak;\n}\n}");
    w.line(
        "int main(void)
        {
            unsigned int rounds = __VERIFIER_nondet_uint();
            unsigned int random = 1u;
            int steps = rounds < 16u ? 1 : 4;
            unsigned int sum = 0;
            generation++;
            for (unsigned int round = 0; round < rounds; round++) {
                int number, event;
                if (round < 3u) {
                    number = __VERIFIER_nondet_uchar() % CONTROLLERS;
                    event = __VERIFIER_nondet_uchar() % EVENTS;
                } else {
                    random = random * 1664525u + 1013904223u;
                    number = (int)((random >> 9) % CONTROLLERS);
                    event = (int)((random >> 20) % EVENTS);
                }
                for (int i = 0; i < steps; i++) {
                    dispatch((number + i) % CONTROLLERS, (event + i) % EVENTS, (int)(round & 63u));
                }
                struct controller *c = &controllers[number];
                if (c->state < 0 || c->state >= STATES || c->level < -1000 || c->level > 1000) {
                    reach_error();
                }
                sum = sum * 31u + (unsigned int)(c->level + 1000) + c->accepted + 3u * c->ignored;
            }
            return (int)(sum & 0x7FFFFFFFu);
        }",
    );
    w.finish()
}

fn controller(w: &mut Writer, number: u64) {
    w.line(format!("static void step_{number}(struct controller *c, int event, int data)\n{{"));
    w.line("if (c->timer > 0) {\nc->timer--;\n}\nswitch (c->state) {");
    for state in 0..STATES {
        w.line(format!("case {state}:"));
        let events = [w.below(3), 3 + w.below(3)];
        let (first, second) = (w.below(STATES), w.below(STATES));
        w.line(format!("if (event == {}) {{", events[0]));
        action(w);
        w.line(format!("enter(c, {first});"));
        w.line(format!("}} else if (event == {} && {}) {{", events[1], guard(w)));
        action(w);
        w.line(format!("enter(c, {second});\n}} else {{\nc->ignored++;\n}}\nbreak;"));
    }
    w.line("default:\nreach_error();\nbreak;\n}\n}");
}

fn guard(w: &Writer) -> String {
    let bound = w.below(60);
    match w.below(5) {
        0 => format!("c->level > {bound}"),
        1 => format!("data < {bound}"),
        2 => "c->timer == 0".into(),
        3 => format!("visited(c, {}) < 4", w.below(STATES)),
        _ => format!("c->peer->level >= {bound}"),
    }
}

fn action(w: &mut Writer) {
    let amount = 1 + w.below(9);
    let line = match w.below(5) {
        0 => format!("c->timer = {};", amount * 3),
        1 => format!("change_level(c, {amount}, -100, 200);"),
        2 => format!("change_level(c, -{amount}, -100, 200);"),
        3 => format!(
            "for (int i = 0; i < {amount}; i++) {{\nc->level += (data >> (i & 3)) & 1;\n}}\nchange_level(c, 0, -100, 200);"
        ),
        _ => format!("change_level(c->peer, data % {} - 4, -100, 200);", amount + 4),
    };
    w.line(line);
}

const DEVICES: u64 = 30;

/// Devices with registers and queues behind a bus.
pub fn devices() -> String {
    let mut w = Writer::new(23);
    w.line("// Large: devices with registers and queues on a bus. The first input is the number of rounds.")
        .line(PRELUDE);
    w.line(format!("enum {{ DEVICES = {DEVICES}, REGISTERS = 8, QUEUE = 16 }};"));
    w.line("enum fault { NONE, OVERRUN, UNDERRUN, BAD_REGISTER, BAD_DEVICE };");
    w.line(
        "struct queue {
            unsigned int items[QUEUE];
            int first;
            int length;
        };
        struct bus {
            unsigned int reads;
            unsigned int writes;
            unsigned int interrupts;
            enum fault fault;
            unsigned int generation;
        };
        static struct bus bus;
        static void queue_clear(struct queue *q)
        {
            q->first = 0;
            q->length = 0;
        }
        static int queue_put(struct queue *q, unsigned int item)
        {
            if (q->length == QUEUE) {
                bus.fault = OVERRUN;
                return 0;
            }
            q->items[(q->first + q->length) % QUEUE] = item;
            q->length++;
            return 1;
        }
        static unsigned int queue_take(struct queue *q)
        {
            if (q->length == 0) {
                bus.fault = UNDERRUN;
                return 0;
            }
            unsigned int item = q->items[q->first];
            q->first = (q->first + 1) % QUEUE;
            q->length--;
            return item;
        }",
    );
    for number in 0..DEVICES {
        device(&mut w, number);
    }
    bus(&mut w);
    w.finish()
}

fn device(w: &mut Writer, n: u64) {
    let (kind, period) = (w.below(3), 2 + w.below(9));
    w.line(format!(
        "struct device_{n} {{
            unsigned int registers[REGISTERS];
            struct queue queue;
            unsigned int generation;
            int countdown;
            unsigned int served;
        }};
        static struct device_{n} device_{n};
        static void reset_{n}(struct device_{n} *d)
        {{
            for (int i = 0; i < REGISTERS; i++) {{
                d->registers[i] = {};
            }}
            queue_clear(&d->queue);
            d->generation = bus.generation;
            d->countdown = {period};
            d->served = 0;
        }}
        static unsigned int read_{n}(struct device_{n} *d, int number)
        {{
            bus.reads++;
            switch (number) {{",
        w.below(4)
    ));
    for register in 0..8 {
        let value = match w.below(4) {
            0 => "(unsigned int)d->queue.length".into(),
            1 => "queue_take(&d->queue)".into(),
            2 => format!("d->registers[{register}] ^ (d->served & {}u)", w.below(256)),
            _ => format!("d->registers[{register}]"),
        };
        w.line(format!("case {register}:\nreturn {value};"));
    }
    w.line("default:\nbus.fault = BAD_REGISTER;\nreturn 0;\n}\n}");
    w.line(format!("static void write_{n}(struct device_{n} *d, int number, unsigned int value)\n{{\nbus.writes++;"));
    w.line("if (number < 0 || number >= REGISTERS) {\nbus.fault = BAD_REGISTER;\nreturn;\n}");
    for register in 0..4 {
        let effect = match w.below(4) {
            0 => "queue_put(&d->queue, value);".into(),
            1 => format!("d->countdown = (int)(value % {period}u) + 1;"),
            2 => format!("value = (value << {}) | (value >> {});", 1 + w.below(7), 8 + w.below(9)),
            _ => format!("value &= {}u;", w.one_of(&[0xFFu32, 0xFFFF, 0x7FFF_FFFF, 0xF0F0_F0F0])),
        };
        w.line(format!("if (number == {register}) {{\n{effect}\n}}"));
    }
    w.line("d->registers[number] = value;\n}");
    tick(w, n, kind, period);
}

fn tick(w: &mut Writer, n: u64, kind: u64, period: u64) {
    w.line(format!(
        "static int tick_{n}(struct device_{n} *d)\n{{\nd->countdown--;\nif (d->countdown > 0) {{\nreturn 0;\n}}"
    ));
    w.line(format!("d->countdown = {period};\nd->served++;"));
    let (a, b) = (w.below(8), w.below(8));
    w.line(match kind {
        0 => format!("unsigned int sum = 0;\nfor (int i = 0; i < REGISTERS; i++) {{\nsum += d->registers[i];\n}}\nd->registers[{a}] = sum;\nreturn sum > {}u;", w.below(1000)),
        1 => format!("if (d->queue.length > {}) {{\nd->registers[{a}] = queue_take(&d->queue);\nreturn 1;\n}}\nreturn queue_put(&d->queue, d->registers[{b}]);", w.below(8)),
        _ => format!("for (int i = REGISTERS - 1; i > 0; i--) {{\nd->registers[i] = d->registers[i - 1];\n}}\nd->registers[0] = d->registers[{b}] * 5u + {}u;\nreturn (d->registers[0] & 1u) != 0;", w.below(100)),
    });
    w.line("}");
}

fn bus(w: &mut Writer) {
    let by_device = |w: &mut Writer, call: &dyn Fn(u64) -> String| {
        w.line("switch (device) {");
        for n in 0..DEVICES {
            w.line(format!("case {n}:\nif (device_{n}.generation != bus.generation) {{\nreset_{n}(&device_{n});\n}}"));
            w.line(call(n));
        }
        w.line("default:\nbus.fault = BAD_DEVICE;\nreturn 0;\n}\n}");
    };
    w.line("static unsigned int bus_read(int device, int number)\n{");
    by_device(w, &|n| format!("return read_{n}(&device_{n}, number);"));
    w.line("static int bus_write(int device, int number, unsigned int value)\n{");
    by_device(w, &|n| format!("write_{n}(&device_{n}, number, value);\nreturn 1;"));
    w.line("static int bus_tick(int device)\n{");
    by_device(w, &|n| format!("return tick_{n}(&device_{n});"));
    w.line("static void bus_reset(void)\n{\nbus.reads = 0;\nbus.writes = 0;\nbus.interrupts = 0;");
    w.line("bus.fault = NONE;\nbus.generation++;\n}");
    w.line(
        "int main(void)
        {
            unsigned int rounds = __VERIFIER_nondet_uint();
            unsigned int random = 77u;
            int ticks = rounds < 16u ? 1 : 8;
            unsigned int sum = 0;
            bus_reset();
            for (unsigned int round = 0; round < rounds; round++) {
                int device, number;
                random = random * 1664525u + 1013904223u;
                if (round < 3u) {
                    device = __VERIFIER_nondet_uchar() % DEVICES;
                    number = __VERIFIER_nondet_uchar() % REGISTERS;
                } else {
                    device = (int)((random >> 9) % DEVICES);
                    number = (int)((random >> 20) % REGISTERS);
                }
                bus_write(device, number, random >> 4);
                for (int i = 0; i < ticks; i++) {
                    if (bus_tick((device + i) % DEVICES)) {
                        bus.interrupts++;
                    }
                }
                sum = sum * 31u + bus_read((device + 1) % DEVICES, number);
                if (bus.fault == BAD_DEVICE || bus.fault == BAD_REGISTER) {
                    reach_error();
                }
                bus.fault = NONE;
            }
            if (bus.writes != rounds) {
                reach_error();
            }
            sum += bus.reads + bus.interrupts;
            return (int)(sum & 0x7FFFFFFFu);
        }",
    );
}

const FILTERS: u64 = 128;

/// Loops over arrays, of many kinds.
pub fn filters() -> String {
    let mut w = Writer::new(37);
    w.line("// Large: filters over arrays. The first input is the number of rounds.").line(PRELUDE);
    w.line("enum { LENGTH = 256, SIDE = 16 };");
    w.line("static int signal[LENGTH];\nstatic int buffer[LENGTH];\nstatic unsigned int histogram[32];\nstatic short grid[SIDE][SIDE];");
    w.line("static unsigned char text[LENGTH];\nstatic double samples[LENGTH];");
    for number in 0..FILTERS {
        w.line(format!("static unsigned int filter_{number}(int length)\n{{\nunsigned int sum = {}u;", w.below(100)));
        let body = filter(&w, number % 8);
        w.line(body);
        w.line("return sum;\n}");
    }
    w.line("static unsigned int apply(unsigned int number, int length)\n{\nswitch (number) {");
    for number in 0..FILTERS {
        w.line(format!("case {number}:\nreturn filter_{number}(length);"));
    }
    w.line("default:\nreach_error();\nreturn 0;\n}\n}");
    w.line(format!(
        "static void fill(unsigned int seed, int length)
        {{
            for (int i = 0; i < length; i++) {{
                seed = seed * 1103515245u + 12345u;
                signal[i] = (int)(seed >> 16) - 32768;
                buffer[i] = 0;
                text[i] = (unsigned char)('a' + (seed >> 24) % 4u);
                samples[i] = (double)(int)(seed >> 20) / 64.0;
                grid[i % SIDE][i / SIDE] = (short)(seed >> 25);
            }}
        }}
        int main(void)
        {{
            unsigned int rounds = __VERIFIER_nondet_uint();
            unsigned int choice = __VERIFIER_nondet_uint() % {FILTERS}u;
            unsigned int sum = __VERIFIER_nondet_uint() & 255u;
            int length = rounds < 16u ? 4 : LENGTH;
            fill(sum, length);
            for (unsigned int round = 0; round < rounds; round++) {{
                sum = sum * 31u + apply((choice + round * 13u) % {FILTERS}u, length);
                for (int i = 0; i < length; i++) {{
                    if (signal[i] > 1000000 || signal[i] < -1000000) {{
                        reach_error();
                    }}
                }}
            }}
            return (int)(sum & 0x7FFFFFFFu);
        }}"
    ));
    w.finish()
}

fn filter(w: &Writer, kind: u64) -> String {
    let (small, shift) = (1 + w.below(7), 1 + w.below(4));
    match kind {
        0 => format!(
            "for (int i = {small}; i < length; i++) {{\nbuffer[i] = (signal[i] + signal[i - {small}]) / 2;\n}}\nfor (int i = 0; i < length; i++) {{\nif (buffer[i] > {small}) {{\nsum += (unsigned int)buffer[i];\n}} else {{\nsum ^= (unsigned int)i;\n}}\n}}"
        ),
        1 => format!(
            "for (int i = 0; i < length; i++) {{\nunsigned int slot = ((unsigned int)signal[i] >> {shift}) & 31u;\nhistogram[slot]++;\n}}\nfor (int i = 0; i < 32; i++) {{\nsum = sum * 3u + histogram[i];\nhistogram[i] = 0;\n}}"
        ),
        2 => format!(
            "int high = -100000, low = 100000;\nfor (int i = 0; i < length; i += {shift}) {{\nif (signal[i] > high) {{\nhigh = signal[i];\n}}\nif (signal[i] < low) {{\nlow = signal[i];\n}}\n}}\nsum += (unsigned int)(high - low);"
        ),
        3 => format!(
            "unsigned char wanted[3] = {{ 'a', 'b', '{}' }};\nfor (int i = 0; i + 3 <= length; i++) {{\nint j = 0;\nwhile (j < 3 && text[i + j] == wanted[j]) {{\nj++;\n}}\nif (j == 3) {{\nsum += (unsigned int)i;\n}}\n}}",
            w.one_of(&['a', 'b', 'c', 'd'])
        ),
        4 => format!(
            "for (int row = 0; row * SIDE < length; row++) {{\nfor (int column = 0; column < SIDE; column++) {{\nint value = grid[column][row] * {small};\nsum += (unsigned int)(value >> {shift});\ngrid[column][row] = (short)(value % 127);\n}}\n}}"
        ),
        5 => format!(
            "double mean = 0.0;\nfor (int i = 0; i < length; i++) {{\nmean = mean * 0.{small}5 + samples[i];\n}}\nif (mean > 0.0) {{\nsum += (unsigned int)(mean / {small}.0);\n}} else {{\nsum += {small}u;\n}}"
        ),
        6 => format!(
            "const int *at = signal;\nconst int *end = signal + length;\nwhile (at != end) {{\nunsigned int bits = (unsigned int)*at;\nint count = 0;\nwhile (bits != 0) {{\nbits &= bits - 1;\ncount++;\n}}\nsum += (unsigned int)count << {shift};\nat++;\n}}"
        ),
        _ => format!(
            "int carried = {small};\nfor (int i = 0; i < length; i++) {{\nint next = signal[i];\nsignal[i] = carried;\ncarried = next;\nsum = (sum << {shift} | sum >> {}) + (unsigned int)next;\n}}\nsignal[0] = carried;",
            32 - shift
        ),
    }
}
