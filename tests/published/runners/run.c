/* Runs uri-test-suite: cc run.c -o run && ./run FILE.tsv ...
 * Change judge to ask your parser. C's library has none: this one looks at the scheme alone. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text has no octet 0 at its end alone: it may hold some. */
static int judge(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && (isalnum((unsigned char)text[at]) || strchr("+-.", text[at]))) at++;
    return at && at < length && text[at] == ':' && isalpha((unsigned char)text[0]);
}

static char line[1 << 20];

int main(int count, char **names) {
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(names[i], "r");
        int wrong = 0, all = 0;
        if (!file) return perror(names[i]), 2;
        while (fgets(line, sizeof line, file)) {
            char *id = strtok(line, "\t\n"), *valid = strtok(NULL, "\t\n");
            char *hex = strtok(NULL, "\t\n"), empty[] = "";
            if (!hex) hex = empty;
            size_t length = strlen(hex) / 2;
            for (size_t at = 0; at < length; at++) {
                char digits[3] = {hex[2 * at], hex[2 * at + 1], 0};
                hex[at] = (char)strtol(digits, NULL, 16);
            }
            all++;
            if (judge(hex, length) != (*valid == '1')) {
                wrong++;
                printf("%s\n", id);
            }
        }
        fclose(file);
        printf("%s: %d of %d differ\n", names[i], wrong, all);
    }
    return 0;
}
