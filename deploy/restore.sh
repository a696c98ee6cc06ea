#!/bin/sh
# Restores a backup into an empty database, and checks that every table holds the number of rows in the backup. Start the service afterwards.
#   DATABASE_URL=postgres://…/new sh deploy/restore.sh <folder>
# The user of the URL will own the tables. A backup contains no privileges; the last step grants those of fronts and actors again, from sql/grants.sql. Requires psql and pg_restore of the server's major version; PSQL and PG_RESTORE select other programs. With TimescaleDB, the server must
# have the same version of it as the backup.
set -eu
folder=${1:?the folder of the backup}
: "${DATABASE_URL:?the URL of an empty database}"
psql=${PSQL:-psql} pg_restore=${PG_RESTORE:-pg_restore}
ask() { $psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" -c "$1"; }
counts=$(dirname "$0")/count-rows.sql
# Without \gexec, it lists the tables that it would count.
tables=$(sed 's/ \\gexec$/;/' "$counts" | $psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL")
[ -z "$tables" ] || { echo 'the database is not empty' >&2; exit 1; }
read -r sum _ < "$folder/database.dump.sha256"
[ "$(sha256sum < "$folder/database.dump" | cut -d ' ' -f 1)" = "$sum" ] || { echo 'the backup is damaged' >&2; exit 1; }
timescale=$($pg_restore --list < "$folder/database.dump" | grep -c ' EXTENSION - timescaledb' || true)
if [ "$timescale" -gt 0 ]; then
  # The greeting of the extension is not shown, and its errors are.
  output=$(ask 'create extension if not exists timescaledb' 2>&1) || { printf '%s\n' "$output" >&2; exit 1; }
  ask 'select timescaledb_pre_restore()' > /dev/null
fi
$pg_restore --no-owner --no-privileges --exit-on-error --dbname="$DATABASE_URL" < "$folder/database.dump"
[ "$timescale" -eq 0 ] || ask 'select timescaledb_post_restore()' > /dev/null
ask analyze
$psql -qAtX -v ON_ERROR_STOP=1 "$DATABASE_URL" < "$counts" > "$folder/rows.restored"
if ! diff "$folder/rows" "$folder/rows.restored" >&2; then echo 'the numbers of restored rows differ from those of the backup' >&2; exit 1; fi
printf 'restored: %s tables with %s rows, as in the backup\n' "$(wc -l < "$folder/rows")" "$(awk -F '|' '{ n += $2 } END { print n }' "$folder/rows")"
# Last, since this step fails for a user that may not create roles: the rows are restored by then, and the role `migrate` grants the privileges later.
$psql -qX1 -v ON_ERROR_STOP=1 "$DATABASE_URL" < "$(dirname "$0")/../sql/grants.sql"
