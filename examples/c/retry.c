// A request is tried again while it fails, at most five times, with a pause that doubles.
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);

enum state { IDLE, SENT, DONE, FAILED };

int main(void) {
    enum state state = IDLE;
    unsigned int pause = 1;
    unsigned int tries = 0;
    while (state == IDLE && tries < 5) {
        state = SENT;
        tries++;
        if (__VERIFIER_nondet_bool()) {
            state = DONE;
        } else {
            state = IDLE;
            pause *= 2;
        }
    }
    if (state != DONE) state = FAILED;
    assert(pause <= 32);  // whittle: expect holds
    assert(state == DONE || tries == 5);  // whittle: expect holds
    assert(state != FAILED);  /* whittle: expect violated */  // it may fail five times
    return 0;
}
