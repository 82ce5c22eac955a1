// The peer in Go: net/url, which net/http uses for a request. The argument is the task: with
// "absolute", a text without a scheme is rejected; with "resolution", the text is a base and a
// reference, with a space between them.
package main

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
)

func parse(text string, task string) any {
	found, err := url.Parse(text)
	if err != nil {
		return map[string]string{"refuses": "url.Error"}
	}
	if task == "absolute" && found.Scheme == "" {
		return false
	}
	return map[string]string{
		"text":     found.String(),
		"scheme":   found.Scheme,
		"host":     found.Hostname(),
		"port":     found.Port(),
		"query":    found.RawQuery,
		"fragment": found.EscapedFragment(),
		"target":   found.RequestURI(),
	}
}

func resolve(pair string) any {
	base, reference, _ := strings.Cut(pair, " ")
	read, err := url.Parse(base)
	if err == nil {
		read, err = read.Parse(reference)
	}
	if err != nil {
		return map[string]string{"refuses": "url.Error"}
	}
	return map[string]string{"text": read.String()}
}

// A request is a JSON string, or an array of octets where those are not UTF-8.
func decoded(line []byte) (string, error) {
	var text string
	if line[0] == '"' {
		return text, json.Unmarshal(line, &text)
	}
	var numbers []int
	err := json.Unmarshal(line, &numbers)
	octets := make([]byte, len(numbers))
	for at, number := range numbers {
		octets[at] = byte(number)
	}
	return string(octets), err
}

func main() {
	task := ""
	if len(os.Args) > 1 {
		task = os.Args[1]
	}
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]string{"version": strings.TrimPrefix(runtime.Version(), "go")})
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		text, err := decoded(line)
		if err != nil {
			return
		}
		if task == "resolution" {
			out.Encode(resolve(text))
		} else {
			out.Encode(parse(text, task))
		}
	}
}
