/* glibc keeps a list of any length; more than these are unsupported. */
void (*__tandem_exit_handlers[32])(void);
int __tandem_exit_handler_count;

int atexit(void (*__tandem_handler)(void)) {
    if (__tandem_exit_handler_count == 32) {
        __builtin_tandem_more_exit_handlers();
    }
    __tandem_exit_handlers[__tandem_exit_handler_count] = __tandem_handler;
    __tandem_exit_handler_count++;
    return 0;
}

void __tandem_run_exit_handlers(void) {
    while (__tandem_exit_handler_count > 0) {
        __tandem_exit_handler_count--;
        __tandem_exit_handlers[__tandem_exit_handler_count]();
    }
}
