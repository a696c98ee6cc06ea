#!/bin/sh
# Makes the secrets of compose.yaml, once: deploy/secrets/, which git ignores. What is there already is left alone.
# The folder is closed to all but you and root; its files can be read by whom they are mounted for, whatever number that user has.
set -eu
folder=$(dirname "$0")/../secrets
umask 077
mkdir -p "$folder"
chmod 700 "$folder"
random() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }
keep() {
  [ -e "$folder/$1" ] && return
  cat > "$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}
random | keep postgres_password
random | keep nats_password
# Seals signing keys, sessions and cursors. A backup is of no use without it: keep a copy where the backups are not.
random | keep secret
printf 'postgres://tracewright:%s@timescale:5432/tracewright' "$(cat "$folder/postgres_password")" | keep database_url
printf 'nats://tracewright:%s@nats:4222' "$(cat "$folder/nats_password")" | keep nats_url
printf 'authorization { user: tracewright, password: "%s" }\n' "$(cat "$folder/nats_password")" | keep nats_auth.conf
