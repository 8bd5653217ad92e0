// Medium: an interpreter of a small machine, with an assembler-like setup of its code. The first input is the number of
// rounds; further inputs choose the program that is interpreted and its data.
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { MEMORY = 256 };
enum { CODE = 128 };
enum { STACK = 32 };
enum { REGISTERS = 8 };

enum opcode {
    OP_HALT, OP_LOAD, OP_MOVE, OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_SHIFT, OP_READ, OP_WRITE,
    OP_JUMP, OP_JUMP_ZERO, OP_JUMP_LESS, OP_PUSH, OP_POP, OP_CALL, OP_RETURN, OP_MOD, OP_COUNT
};

enum status { RUNNING, HALTED, BAD_OPCODE, BAD_ADDRESS, STACK_FULL, STACK_EMPTY, DIVIDED_BY_ZERO };

struct instruction {
    unsigned char opcode;
    unsigned char a;
    unsigned char b;
    unsigned char c;
    int immediate;
};

struct machine {
    struct instruction code[CODE];
    int code_length;
    unsigned int registers[REGISTERS];
    unsigned int memory[MEMORY];
    int stack[STACK];
    int depth;
    int pc;
    enum status status;
    unsigned int steps;
};

static struct machine machine;

static void machine_reset(struct machine *m)
{
    for (int i = 0; i < REGISTERS; i++)
        m->registers[i] = 0;
    m->depth = 0;
    m->pc = 0;
    m->status = RUNNING;
    m->steps = 0;
}

static int emit(struct machine *m, enum opcode opcode, int a, int b, int c, int immediate)
{
    if (m->code_length >= CODE)
        return -1;
    struct instruction *next = &m->code[m->code_length];
    next->opcode = (unsigned char)opcode;
    next->a = (unsigned char)a;
    next->b = (unsigned char)b;
    next->c = (unsigned char)c;
    next->immediate = immediate;
    return m->code_length++;
}

static void patch(struct machine *m, int at, int target)
{
    if (at >= 0 && at < m->code_length)
        m->code[at].immediate = target;
}

/* sum of squares below a bound */
static void assemble_squares(struct machine *m, int bound)
{
    emit(m, OP_LOAD, 0, 0, 0, 0);
    emit(m, OP_LOAD, 1, 0, 0, bound);
    emit(m, OP_LOAD, 2, 0, 0, 0);
    emit(m, OP_LOAD, 3, 0, 0, 1);
    int loop = m->code_length;
    int leave = emit(m, OP_JUMP_LESS, 0, 1, 0, 0);
    int done = emit(m, OP_JUMP, 0, 0, 0, 0);
    patch(m, leave, m->code_length);
    emit(m, OP_MUL, 4, 0, 0, 0);
    emit(m, OP_ADD, 2, 2, 4, 0);
    emit(m, OP_ADD, 0, 0, 3, 0);
    emit(m, OP_JUMP, 0, 0, 0, loop);
    patch(m, done, m->code_length);
    emit(m, OP_HALT, 0, 0, 0, 0);
}

/* fills memory with a linear sequence and folds it */
static void assemble_fold(struct machine *m, int seed)
{
    emit(m, OP_LOAD, 0, 0, 0, 0);
    emit(m, OP_LOAD, 1, 0, 0, MEMORY);
    emit(m, OP_LOAD, 3, 0, 0, 1);
    emit(m, OP_LOAD, 4, 0, 0, seed);
    emit(m, OP_LOAD, 5, 0, 0, 1103515245);
    int fill = m->code_length;
    emit(m, OP_MUL, 4, 4, 5, 0);
    emit(m, OP_ADD, 4, 4, 3, 0);
    emit(m, OP_WRITE, 4, 0, 0, 0);
    emit(m, OP_ADD, 0, 0, 3, 0);
    emit(m, OP_JUMP_LESS, 0, 1, 0, fill);
    emit(m, OP_LOAD, 0, 0, 0, 0);
    emit(m, OP_LOAD, 2, 0, 0, 0);
    int fold = m->code_length;
    emit(m, OP_READ, 6, 0, 0, 0);
    emit(m, OP_SHIFT, 7, 6, 0, 3);
    emit(m, OP_XOR, 6, 6, 7, 0);
    emit(m, OP_ADD, 2, 2, 6, 0);
    emit(m, OP_ADD, 0, 0, 3, 0);
    emit(m, OP_JUMP_LESS, 0, 1, 0, fold);
    emit(m, OP_HALT, 0, 0, 0, 0);
}

/* Euclid by a subroutine */
static void assemble_divisor(struct machine *m, int a, int b)
{
    emit(m, OP_LOAD, 0, 0, 0, a);
    emit(m, OP_LOAD, 1, 0, 0, b);
    int call = emit(m, OP_CALL, 0, 0, 0, 0);
    emit(m, OP_MOVE, 2, 0, 0, 0);
    emit(m, OP_HALT, 0, 0, 0, 0);
    patch(m, call, m->code_length);
    int loop = m->code_length;
    int leave = emit(m, OP_JUMP_ZERO, 1, 0, 0, 0);
    emit(m, OP_PUSH, 1, 0, 0, 0);
    emit(m, OP_MOD, 1, 0, 1, 0);
    emit(m, OP_POP, 0, 0, 0, 0);
    emit(m, OP_JUMP, 0, 0, 0, loop);
    patch(m, leave, m->code_length);
    emit(m, OP_RETURN, 0, 0, 0, 0);
}

static int valid_register(int index) { return index >= 0 && index < REGISTERS; }

static void fault(struct machine *m, enum status why)
{
    m->status = why;
}

static void push(struct machine *m, unsigned int value)
{
    if (m->depth >= STACK)
        fault(m, STACK_FULL);
    else
        m->stack[m->depth++] = (int)value;
}

static unsigned int pop(struct machine *m)
{
    if (m->depth <= 0) {
        fault(m, STACK_EMPTY);
        return 0;
    }
    return (unsigned int)m->stack[--m->depth];
}

static void step(struct machine *m)
{
    if (m->pc < 0 || m->pc >= m->code_length) {
        fault(m, BAD_ADDRESS);
        return;
    }
    const struct instruction *now = &m->code[m->pc++];
    m->steps++;
    if (!valid_register(now->a) || !valid_register(now->b) || !valid_register(now->c)) {
        fault(m, BAD_OPCODE);
        return;
    }
    unsigned int *target = &m->registers[now->a];
    unsigned int left = m->registers[now->b], right = m->registers[now->c];
    switch (now->opcode) {
    case OP_HALT:
        m->status = HALTED;
        break;
    case OP_LOAD:
        *target = (unsigned int)now->immediate;
        break;
    case OP_MOVE:
        *target = left;
        break;
    case OP_ADD:
        *target = left + right;
        break;
    case OP_SUB:
        *target = left - right;
        break;
    case OP_MUL:
        *target = left * right;
        break;
    case OP_AND:
        *target = left & right;
        break;
    case OP_OR:
        *target = left | right;
        break;
    case OP_XOR:
        *target = left ^ right;
        break;
    case OP_SHIFT:
        *target = left >> (now->immediate & 31);
        break;
    case OP_MOD:
        if (right == 0)
            fault(m, DIVIDED_BY_ZERO);
        else
            *target = left % right;
        break;
    case OP_READ:
        if (left >= MEMORY)
            fault(m, BAD_ADDRESS);
        else
            *target = m->memory[left];
        break;
    case OP_WRITE:
        if (left >= MEMORY)
            fault(m, BAD_ADDRESS);
        else
            m->memory[left] = *target;
        break;
    case OP_JUMP:
        m->pc = now->immediate;
        break;
    case OP_JUMP_ZERO:
        if (*target == 0)
            m->pc = now->immediate;
        break;
    case OP_JUMP_LESS:
        if (*target < left)
            m->pc = now->immediate;
        break;
    case OP_PUSH:
        push(m, *target);
        break;
    case OP_POP:
        *target = pop(m);
        break;
    case OP_CALL:
        push(m, (unsigned int)m->pc);
        m->pc = now->immediate;
        break;
    case OP_RETURN:
        m->pc = (int)pop(m);
        break;
    default:
        fault(m, BAD_OPCODE);
        break;
    }
}

static unsigned int interpret(struct machine *m, unsigned int limit)
{
    machine_reset(m);
    while (m->status == RUNNING && m->steps < limit)
        step(m);
    return m->registers[2];
}

static void assemble(struct machine *m, unsigned int choice, int data)
{
    m->code_length = 0;
    switch (choice % 3u) {
    case 0:
        assemble_squares(m, 4 + (data & 31));
        break;
    case 1:
        assemble_fold(m, data);
        break;
    default:
        assemble_divisor(m, 1000 + (data & 4095), 18 + (data >> 12 & 255));
        break;
    }
}

int main(void)
{
    unsigned int rounds = __VERIFIER_nondet_uint();
    unsigned int choice = __VERIFIER_nondet_uint();
    int data = __VERIFIER_nondet_int();
    unsigned int sum = 0;
    for (unsigned int round = 0; round < rounds; round++) {
        if (round % 4u == 0)
            assemble(&machine, choice + round / 4u, data);
        unsigned int result = interpret(&machine, rounds < 16u ? 5u : 5000u);
        if (machine.status != HALTED && machine.status != RUNNING)
            reach_error();
        if (machine.depth < 0 || machine.depth > STACK)
            reach_error();
        sum = sum * 31u + result + (unsigned int)machine.steps;
        data = (int)(((unsigned int)data * 69069u + 5u) >> 1);
    }
    return (int)(sum & 0x7FFFFFFFu);
}
