// The year of a date that counts days: with `days > 366` instead of `>=` nothing changes on the last
// day of a leap year, and the loop never ends. Here it is told how long it may take.
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
        assert(turns <= 3);  // whittle: expect violated
        if (is_leap(year)) {
            if (days > 366) {
                days -= 366;
                year += 1;
            }
        } else {
            days -= 365;
            year += 1;
        }
        turns++;
    }
    return year;
}
