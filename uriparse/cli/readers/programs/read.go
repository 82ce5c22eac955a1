// The reader of Go: net/url, with which net/http reads a request's URL.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
)

func read(text string) map[string]string {
	found, err := url.Parse(text)
	if err != nil {
		return map[string]string{"refuses": "url.Error"}
	}
	return map[string]string{
		"scheme": found.Scheme,
		"host":   found.Hostname(),
		"port":   found.Port(),
		"target": found.RequestURI(),
	}
}

func main() {
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]string{"version": strings.TrimPrefix(runtime.Version(), "go")})
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		octets, err := hex.DecodeString(strings.TrimSpace(line))
		if err != nil {
			return
		}
		out.Encode(read(string(octets)))
	}
}
