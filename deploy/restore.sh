#!/bin/sh
# Restores a backup into an empty database, and checks that every table holds the number of rows in the backup. Start the service afterwards.
#   DATABASE_URL=postgres://…/new sh deploy/restore.sh <folder>
# The user of the URL will own the tables. A backup holds no rights: those of fronts and actors are given again, by sql/grants.sql. Requires psql and pg_restore of the server's major version; PSQL and PG_RESTORE select other programs. With TimescaleDB, the server must
# have the same version of it as the backup.
set -eu
folder=${1:?the folder of the backup}
: "${DATABASE_URL:?the URL of an empty database}"
psql=${PSQL:-psql} pg_restore=${PG_RESTORE:-pg_restore}
ask() { $psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" -c "$1"; }
[ "$(ask "select count(*) from pg_tables where schemaname = 'public'")" = 0 ] || { echo 'the database is not empty' >&2; exit 1; }
read -r sum _ < "$folder/database.dump.sha256"
[ "$(sha256sum < "$folder/database.dump" | cut -d ' ' -f 1)" = "$sum" ] || { echo 'the backup is damaged' >&2; exit 1; }
timescale=$($pg_restore --list < "$folder/database.dump" | grep -c ' EXTENSION - timescaledb' || true)
if [ "$timescale" -gt 0 ]; then
  # Its welcome is of use to nobody, and its failure is.
  words=$(ask 'create extension if not exists timescaledb' 2>&1) || { printf '%s\n' "$words" >&2; exit 1; }
  ask 'select timescaledb_pre_restore()' > /dev/null
fi
$pg_restore --no-owner --no-privileges --exit-on-error --dbname="$DATABASE_URL" < "$folder/database.dump"
[ "$timescale" -eq 0 ] || ask 'select timescaledb_post_restore()' > /dev/null
ask analyze
$psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" < "$(dirname "$0")/count-rows.sql" > "$folder/rows.restored"
if ! diff "$folder/rows" "$folder/rows.restored" >&2; then echo 'the tables do not hold what the backup says' >&2; exit 1; fi
printf 'restored: %s tables hold what the backup says, %s rows in all\n' "$(wc -l < "$folder/rows")" "$(awk -F '|' '{ n += $2 } END { print n }' "$folder/rows")"
# Last, since a user that may not create roles fails here: the rows are good all the same, and the role `migrate` gives the rights later.
$psql -qX1 -v ON_ERROR_STOP=1 "$DATABASE_URL" < "$(dirname "$0")/../sql/grants.sql"
