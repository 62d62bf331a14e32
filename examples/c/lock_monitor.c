// A driver takes a lock, works, and gives it back, unless requests came in meanwhile. A monitor watches that
// the lock is never taken twice and never given back without having been taken.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int locked = 0;

void take(void) {
    if (locked)
        reach_error();  // whittle: expect holds
    locked = 1;
}

void give(void) {
    if (!locked)
        reach_error();  // whittle: expect holds
    locked = 0;
}

int main(void) {
    int done, requests = __VERIFIER_nondet_int();
    do {
        take();
        done = requests;
        if (__VERIFIER_nondet_int()) {
            give();
            requests++;
        }
    } while (done != requests);
    give();
    return 0;
}
