#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets/, which git ignores. Existing files are not changed.
# Only you and root can enter the folder. The files are world-readable, so that any user of a container can read the files mounted into it.
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
random | keep front_password
random | keep actor_password
random | keep nats_password
# Protects signing keys, sessions and cursors. A backup is useless without it: keep a copy in a different place than the backups.
random | keep secret
printf 'postgres://tracewright:%s@timescale:5432/tracewright' "$(cat "$folder/postgres_password")" | keep database_url
# The user above is a superuser, for migrations and backups. The service runs as these, which the migration creates.
printf 'postgres://tracewright_front:%s@timescale:5432/tracewright' "$(cat "$folder/front_password")" | keep front_database_url
printf 'postgres://tracewright_actor:%s@timescale:5432/tracewright' "$(cat "$folder/actor_password")" | keep actor_database_url
printf 'nats://tracewright:%s@nats:4222' "$(cat "$folder/nats_password")" | keep nats_url
printf 'authorization { user: tracewright, password: "%s" }\n' "$(cat "$folder/nats_password")" | keep nats_auth.conf
