// The adapter of Go: net/url.Parse; with the argument "absolute" a text without a scheme is not
// accepted.
package main

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
)

func judge(text string, absolute bool) any {
	found, err := url.Parse(text)
	if err != nil || (absolute && found.Scheme == "") {
		return false
	}
	return map[string]string{
		"text":     found.String(),
		"scheme":   found.Scheme,
		"host":     found.Hostname(),
		"port":     found.Port(),
		"query":    found.RawQuery,
		"fragment": found.EscapedFragment(),
	}
}

func main() {
	absolute := len(os.Args) > 1 && os.Args[1] == "absolute"
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]string{"version": strings.TrimPrefix(runtime.Version(), "go")})
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		var text string
		if err != nil || json.Unmarshal(line, &text) != nil {
			return
		}
		out.Encode(judge(text, absolute))
	}
}
