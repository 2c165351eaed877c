# Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.
. ./verify.sh
body=$(mktemp)
while IFS='|' read -r name secret header encoded now; do
  # The letter keeps line breaks at the end.
  header=$(printf %s "$header" | base64 -d && printf x)
  printf %s "$encoded" | base64 -d >"$body"
  if verify "$secret" "${header%x}" "$body" "$now"; then echo "$name accepted"; else echo "$name refused"; fi
done
rm "$body"
