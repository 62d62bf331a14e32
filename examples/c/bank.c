// A transfer checks the balance before it takes the fee: an account can be overdrawn by the fee.
#include <assert.h>

int __VERIFIER_nondet_int(void);

struct account {
    int balance;
    int limit;
};

static const int fee = 2;

static int transfer(struct account *from, struct account *to, int amount) {
    if (amount <= 0 || amount > from->balance) return 0;
    from->balance -= amount;
    from->balance -= fee;
    to->balance += amount;
    return 1;
}

int main(void) {
    struct account mine = {100, 0};
    struct account yours = {50, 0};
    for (int i = 0; i < 3; i++) {
        transfer(&mine, &yours, __VERIFIER_nondet_int());
        assert(mine.balance + yours.balance >= 150 - 3 * fee);  // whittle: expect holds
    }
    assert(mine.balance >= mine.limit);  // whittle: expect violated
    return 0;
}
