// Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.
package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	input, _ := io.ReadAll(os.Stdin)
	for _, line := range strings.Split(strings.TrimSuffix(string(input), "\n"), "\n") {
		f := strings.Split(line, "|")
		header, _ := base64.StdEncoding.DecodeString(f[2])
		body, _ := base64.StdEncoding.DecodeString(f[3])
		now, _ := strconv.ParseInt(f[4], 10, 64)
		answer := "refused"
		if Verify(f[1], string(header), body, time.Unix(now, 0)) {
			answer = "accepted"
		}
		fmt.Println(f[0], answer)
	}
}
