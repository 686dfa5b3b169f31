-- What each shard has: a part of the melodies, their index, and the functions that the coordinator calls. The roles
-- `rondo_search` (may only read, with limits) and `rondo_write` exist already; docs/scale.md shows all steps.

CREATE EXTENSION IF NOT EXISTS rondo;

CREATE TABLE incipit (
  id     text COLLATE "C" PRIMARY KEY,
  title  text NOT NULL DEFAULT '',
  melody melody NOT NULL
);
CREATE INDEX incipit_melody ON incipit USING rondo (melody);

CREATE TYPE shard_hit AS (id text, title text, distance double precision, tie double precision, difference integer,
                          statistics bigint);

-- The best k of this shard, in the order of all: tie, difference and id decide between melodies that are equally good.
-- Lists of shards can be merged if their scores were computed with the same statistics: `statistics` tells.
CREATE FUNCTION shard_search(query text, system text, k integer) RETURNS SETOF shard_hit LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  q melodyquery := melody_query(query, system);
  sum bigint;
  -- The index gives equal distances in the order of tie and difference; without it they come in any order.
  by_index boolean := (SELECT indisvalid FROM pg_index WHERE indexrelid = 'incipit_melody'::regclass);
  -- A cursor, which ends at the first row that the system does not rank. A condition would have all of those looked at.
  nearest NO SCROLL CURSOR FOR
    SELECT i.id, i.title, i.melody <-> q AS distance, melody_tie(i.melody, q), melody_length_difference(i.melody, q), sum
    FROM incipit i ORDER BY i.melody <-> q;
  one shard_hit;
  hits shard_hit[] := '{}';
  last shard_hit;
BEGIN
  IF melody_query_learns(q) THEN sum := rondo_statistics_sum('incipit_melody'); END IF;
  -- The k best, and some that may be as good as the last of them, in one search.
  PERFORM set_config('rondo.first_hits', least(greatest(k, 0) + 16, 10000)::text, true);
  OPEN nearest;
  LOOP
    FETCH nearest INTO one;
    EXIT WHEN NOT FOUND OR one.distance IS NULL;
    EXIT WHEN cardinality(hits) >= k AND (one.distance IS DISTINCT FROM last.distance OR
      by_index AND (one.tie, one.difference) IS DISTINCT FROM (last.tie, last.difference));
    hits := hits || one;
    last := one;
  END LOOP;
  CLOSE nearest;
  RETURN QUERY SELECT h.* FROM unnest(hits) h ORDER BY h.distance, h.tie, h.difference, h.id COLLATE "C" LIMIT k;
END $$;

-- false: there was one of that id, which is replaced.
CREATE FUNCTION shard_put(new_id text, new_title text, new_melody text) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO incipit (id, title, melody) VALUES (new_id, new_title, melody(new_melody))
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, melody = excluded.melody
  RETURNING xmax = 0
$$;

CREATE FUNCTION shard_count() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM incipit $$;

-- Scores of some systems depend on how often windows of notes occur in the whole collection: the coordinator adds up what
-- the shards count, and sets the sum on each. Until then searches use what was set before.
CREATE FUNCTION shard_statistics(OUT melody_window bigint, OUT occurrences bigint)
RETURNS SETOF record LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  SELECT s.melody_window, s.occurrences FROM rondo_statistics_count('incipit_melody') s
$$;

CREATE FUNCTION shard_statistics_set(windows bigint[], occurrences bigint[])
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM rondo_statistics_set('incipit_melody', windows, occurrences);
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION shard_put, shard_statistics, shard_statistics_set FROM PUBLIC;
GRANT SELECT ON incipit TO rondo_search;
GRANT SELECT, INSERT, UPDATE, DELETE ON incipit TO rondo_write;
GRANT EXECUTE ON FUNCTION shard_put, shard_statistics, shard_statistics_set TO rondo_write;
