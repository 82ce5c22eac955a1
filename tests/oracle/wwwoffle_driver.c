/* Answers lines of hexadecimal digits by the functions of a WWWOFFLE that it is compiled with.

   "u" is read by SplitURL; "g", "f", "r", "p", "a", "w" are decoded, recoded or encoded. The fields
   of an answer are hexadecimal too, "-" for NULL. What is allocated is zero, so that what the
   program reads behind a string is always the same. Of version: VERSION is 27, 28 or 29. */

#include "autoconfig.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "misc.h"
#include "proto.h"

#define LOCAL "localhost:8080"

static char *local(void) { return strdup(LOCAL); }

#if VERSION < 29
#define HOST host
Protocol Protocols[] = {{0, "http", 80, 1}, {1, "ftp", 21, 1}, {2, "finger", 79, 1}};
int NProtocols = 3;
char *GetLocalHost(int port) { return local(); }
int IsLocalHost(char *host, int port)
{
  return !strncmp(host, LOCAL, 10) && atoi(host + 10) == 8080;
}
#else
#define HOST hostport
char *GetLocalHostPort(void) { return local(); }
int DefaultPort(const URL *url)
{
  const char *name = url->proto;
  return !strcmp(name, "http") ? 80 : !strcmp(name, "https") ? 443
       : !strcmp(name, "ftp") ? 21 : !strcmp(name, "finger") ? 79 : 0;
}
#endif

static void put(const char *text)
{
  if (text)
    for (; *text; text++)
      printf("%02x", (unsigned char)*text);
  else
    putchar('-');
  putchar(' ');
}

static char text[1 << 20], octets[1 << 19];

int main(void)
{
  while (fgets(text, sizeof text, stdin)) {
    char *to = octets, *from = text + 1;
    unsigned value;
    while (sscanf(from, "%2x", &value) == 1)
      *to++ = value, from += 2;
    *to = 0;
    switch (*text) {
    case 'u': {
      URL *url = SplitURL(octets);
      put(url->file), put(url->name), put(url->proto), put(url->user), put(url->pass);
      put(url->HOST), put(url->path), put(url->args), put(MakeHash(url->file));
#if VERSION < 29
      put(url->params);
#else
      put(NULL);
#endif
      break;
    }
    case 'g': put(URLDecodeGeneric(octets)); break;
    case 'f': put(URLDecodeFormArgs(octets)); break;
    case 'r': put(URLRecodeFormArgs(octets)); break;
    case 'p': put(URLEncodePath(octets)); break;
    case 'a': put(URLEncodeFormArgs(octets)); break;
    case 'w': put(URLEncodePassword(octets)); break;
    }
    putchar('\n');
  }
  return 0;
}
