"""Installs DuckDB into a folder and prints, as JSON, what it reads in an archive.

Usage: duckdb-archive.py <folder for the environment> <archive>
"""
import json
import pathlib
import subprocess
import sys
import venv

environment, archive = map(pathlib.Path, sys.argv[1:])
python = environment / "bin" / "python3"
venv.create(environment, with_pip=True)
subprocess.run([python, "-m", "pip", "install", "--quiet", "duckdb"], check=True, stdout=sys.stderr)

READ = """
import duckdb, json, sys
archive = sys.argv[1]
found = {}
for name, rows in [
    ("parquet", f"read_parquet('{archive}/*/notifications.parquet', hive_partitioning = true)"),
    ("ndjson", f"read_json('{archive}/*/notifications.ndjson.gz', format = 'newline_delimited', hive_partitioning = true)"),
]:
    try:
        columns = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {rows})").fetchall())
    except duckdb.IOException:
        continue  # The archive has no files of this kind.
    flags = [name for name, kind in columns.items() if kind == "BOOLEAN"]
    sums = ", ".join(f'count(*) FILTER (WHERE "{flag}")' for flag in flags)
    by_app = {
        app: dict(zip(["rows"] + flags, counts))
        for app, *counts in duckdb.sql(f"SELECT app, count(*), {sums} FROM {rows} GROUP BY app").fetchall()
    }
    [(ids, days)] = duckdb.sql(f"SELECT count(DISTINCT notification_id), count(DISTINCT day) FROM {rows}").fetchall()
    found[name] = {"columns": columns, "apps": by_app, "ids": ids, "days": days}
print(json.dumps(found))
"""
print(subprocess.run([python, "-c", READ, archive], check=True, stdout=subprocess.PIPE, text=True).stdout)
