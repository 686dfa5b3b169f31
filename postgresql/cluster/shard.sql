-- What each shard has: a part of the melodies, their index, and the functions that the coordinator calls. The roles
-- `rondo_search` (may only read, with limits) and `rondo_write` exist already; docs/scale.md shows all steps.

CREATE EXTENSION IF NOT EXISTS rondo;

CREATE TABLE incipit (
  id     text COLLATE "C" PRIMARY KEY,
  title  text NOT NULL DEFAULT '',
  melody melody NOT NULL
);
CREATE INDEX incipit_melody ON incipit USING rondo (melody);

-- The best k of this shard, in the order of all: tie, difference and id decide between melodies that are equally good.
-- Lists of shards can be merged if their scores were computed with the same statistics: `statistics` tells.
CREATE FUNCTION shard_search(query text, system text, k integer,
                             OUT id text, OUT title text, OUT distance double precision, OUT tie double precision,
                             OUT difference integer, OUT statistics bigint)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
  SELECT id, title, distance, tie, difference,
         (SELECT CASE WHEN melody_query_learns(melody_query(query, system)) THEN rondo_statistics_sum('incipit_melody') END)
  FROM (SELECT i.id, i.title, i.melody <-> q AS distance, melody_tie(i.melody, q) AS tie,
               melody_length_difference(i.melody, q) AS difference
        FROM incipit i, melody_query(query, system) q ORDER BY i.melody <-> q) ranked
  WHERE distance IS NOT NULL
  ORDER BY distance, tie, difference, id COLLATE "C" LIMIT k
$$;

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
