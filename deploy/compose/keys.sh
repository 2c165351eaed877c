#!/usr/bin/env bash
# Makes what has to be there before anything starts: a CA, certificates of Postgres, Kafka, auth and the edge, and passwords. What is there stays,
# but for a certificate that ends within 30 days, which is made anew. keys.sh <folder of keys> <folder of secrets> <host of the edge>
set -euo pipefail
umask 077
keys=$1 secrets=$2 host=$3
services='auth api catalog delivery'

# Users of the images, by whom their files are read: gives a file or folder to one, where this runs as root.
give() { [ "$(id -u)" -ne 0 ] || chown -R "$1" "$2"; }

password() { [ -s "$1" ] || openssl rand -hex 24 >"$1"; }

mkdir -p "$keys"/{authority,ca,administrator,postgres,kafka,kafka-config,auth,edge,grafana} "$secrets"
ca=$keys/ca
[ -s "$ca/ca.crt" ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -sha256 \
  -subj '/CN=workspace-data compose CA' -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
  -keyout "$keys/authority/ca.key" -out "$ca/ca.crt" 2>/dev/null

# A key and a certificate of this CA. certificate <folder> <names, as subjectAltName has them>
certificate() {
  local folder=$1 names=$2
  if [ -s "$folder/tls.crt" ] && openssl x509 -in "$folder/tls.crt" -noout -checkend $((30 * 86400)) >/dev/null; then return; fi
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$(basename "$folder")" \
    -keyout "$folder/tls.key" -out "$folder/tls.csr" 2>/dev/null
  openssl x509 -req -in "$folder/tls.csr" -CA "$ca/ca.crt" -CAkey "$keys/authority/ca.key" -days 397 -sha256 -out "$folder/tls.new" \
    -extfile <(printf 'basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName=%s\n' "$names") 2>/dev/null
  mv "$folder/tls.new" "$folder/tls.crt"
  rm "$folder/tls.csr"
}
certificate "$keys/postgres" 'DNS:postgres,DNS:localhost'
certificate "$keys/kafka" 'DNS:kafka,DNS:localhost'
# auth's internal listener, which takes a new one in while it runs.
certificate "$keys/auth" 'DNS:auth-internal,DNS:localhost'
certificate "$keys/edge" "DNS:$host"
# As Kafka reads it: one file.
cat "$keys/kafka/tls.key" "$keys/kafka/tls.crt" >"$keys/kafka/tls.pem"

password "$keys/administrator/password"
cp "$keys/administrator/password" "$keys/postgres/password"
password "$keys/grafana/password"
users=
for service in $services; do
  mkdir -p "$secrets/$service-secrets" "$secrets/$service-owner"
  password "$secrets/$service-secrets/kafka-password"
  cp "$ca/ca.crt" "$secrets/$service-secrets/kafka-ca.crt"
  cp "$ca/ca.crt" "$secrets/$service-secrets/postgres-ca.crt"
  cp "$ca/ca.crt" "$secrets/$service-secrets/internal-ca.crt"
  cp "$ca/ca.crt" "$secrets/$service-owner/postgres-ca.crt"
  users="$users user_$service=\"$(cat "$secrets/$service-secrets/kafka-password")\""
done
for half in crt key; do cp "$keys/auth/tls.$half" "$secrets/auth-secrets/internal-tls.$half"; done
{
  cat "$(dirname "$0")/kafka/server.properties"
  echo "listener.name.services.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required$users;"
} >"$keys/kafka-config/server.properties"

give 65532:65532 "$keys/administrator"
give 999 "$keys/postgres"
give 1000 "$keys/kafka"
give 1000 "$keys/kafka-config"
give 101 "$keys/edge"
give 472 "$keys/grafana"
give 65532:65532 "$secrets"
# The CA itself is no secret; its key stays with root.
chmod 755 "$keys" "$ca" && chmod 644 "$ca/ca.crt"
