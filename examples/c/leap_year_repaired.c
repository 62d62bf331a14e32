// The year of a date that counts days, repaired: a year is over when its own length is.
#include <assert.h>
#include <stdbool.h>

int nondet_int(void);
void __VERIFIER_assume(int condition);

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int main(void) {
    int days = nondet_int();
    int year = 1980;
    int turns = 0;
    __VERIFIER_assume(days > 0 && days <= 3 * 366);
    while (days > 365) {
        assert(turns <= 3);  // whittle: expect holds
        if (is_leap(year)) {
            if (days == 366) break;
            days -= 366;
        } else {
            days -= 365;
        }
        year += 1;
        turns++;
    }
    assert(days >= 1 && days <= 366);  // whittle: expect holds
    return year;
}
