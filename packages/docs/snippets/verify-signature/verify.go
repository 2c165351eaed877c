package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var form = regexp.MustCompile(`^t=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64})+)$`)

// Verify tells whether a request is genuine. secret: as shown, whsec_ included. header: X-Service-Signature. body: the raw bytes.
func Verify(secret, header string, body []byte, now time.Time) bool {
	parts := form.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	t, _ := strconv.ParseInt(parts[1], 10, 64)
	given := strings.Split(parts[2], ",v1=")[1:]
	if off := now.Unix() - t; off > 300 || off < -300 || len(given) > 32 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts[1] + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, signature := range given {
		if decoded, _ := hex.DecodeString(signature); hmac.Equal(decoded, expected) {
			return true
		}
	}
	return false
}
