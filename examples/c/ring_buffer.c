// A ring buffer of eight numbers: what is written is never out of its bounds, and it never holds more than eight.
#include <assert.h>

int __VERIFIER_nondet_int(void);

#define SIZE 8

int buffer[SIZE];  // whittle: expect bounds: holds
unsigned int head = 0;
unsigned int count = 0;

int put(int value) {
    if (count == SIZE) return 0;
    buffer[(head + count) % SIZE] = value;
    count++;
    return 1;
}

int get(int *value) {
    if (count == 0) return 0;
    *value = buffer[head];
    head = (head + 1) % SIZE;
    count--;
    return 1;
}

int main(void) {
    int value = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(__VERIFIER_nondet_int());
        else
            get(&value);
        assert(count <= SIZE);  // whittle: expect holds
        assert(head < SIZE);  // whittle: expect holds
    }
    return 0;
}
