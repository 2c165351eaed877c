# POSIX shell with openssl, to look at a request by hand: the comparison takes no constant time, and other users of the machine may see
# the secret among the arguments of openssl. Status 0: genuine.

# verify <secret, whsec_ included> <X-Service-Signature> <file with the raw body> [<now, unix seconds>]
verify() {
  [ "$(printf %s "$2" | wc -l)" -eq 0 ] || return 1
  printf '%s\n' "$2" | LC_ALL=C grep -Eqx 't=(0|[1-9][0-9]{0,9})(,v1=[0-9a-f]{64}){1,32}' || return 1
  t=${2#t=} t=${t%%,*}
  off=$((${4:-$(date +%s)} - t))
  [ "${off#-}" -le 300 ] || return 1
  expected=$({ printf '%s.' "$t" && cat "$3"; } | openssl dgst -sha256 -hmac "$1" -r | cut -d ' ' -f 1)
  case "$2," in *",v1=$expected,"*) return 0 ;; esac
  return 1
}
