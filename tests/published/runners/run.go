// Runs uri-test-suite: go run run.go FILE.json ...
// Change judge to ask your parser. This one asks net/url.
package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
)

type suite struct {
	Cases []struct {
		Id, Text, Tells string
		Valid           bool
	}
}

func judge(text string) bool {
	found, err := url.Parse(text)
	return err == nil && found.Scheme != ""
}

func main() {
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		var read suite
		if err == nil {
			err = json.Unmarshal(data, &read)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		wrong := 0
		for _, one := range read.Cases {
			if judge(one.Text) != one.Valid {
				wrong++
				fmt.Printf("%s\t%q\t%s\n", one.Id, one.Text, one.Tells)
			}
		}
		fmt.Printf("%s: %d of %d differ\n", name, wrong, len(read.Cases))
	}
}
