-- What the coordinator has: no melodies, but functions of PL/Proxy that ask the shards. The servers `search_shards` and
-- `write_shards` are made before (docs/scale.md shows how); they say where the shards are, and how long one may take.

CREATE EXTENSION IF NOT EXISTS rondo;
CREATE EXTENSION IF NOT EXISTS plproxy;

CREATE TYPE shard_hit AS (id text, title text, distance double precision, tie double precision, difference integer,
                          statistics bigint);

CREATE FUNCTION search_all(query text, system text, k integer) RETURNS SETOF shard_hit LANGUAGE plproxy AS $$
  CLUSTER 'search_shards'; RUN ON ALL; TARGET shard_search;
$$;
CREATE FUNCTION search_one(shard integer, query text, system text, k integer) RETURNS SETOF shard_hit
LANGUAGE plproxy AS $$
  CLUSTER 'search_shards'; RUN ON shard;
  SELECT s.id, s.title, s.distance, s.tie, s.difference, s.statistics FROM shard_search(query, system, k) s;
$$;

-- The numbers of the shards: options p0, p1 and so on.
CREATE FUNCTION shard_numbers() RETURNS SETOF integer LANGUAGE sql STABLE AS $$
  SELECT substr(split_part(option, '=', 1), 2)::integer
  FROM pg_foreign_server, unnest(srvoptions) option WHERE srvname = 'search_shards' AND option ~ '^p[0-9]+=' ORDER BY 1
$$;

-- Whether an error was raised here, because the caller cancelled the statement or its time is over. What a shard says
-- is marked as such by PL/Proxy.
CREATE FUNCTION is_own_cancel(state text, message text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT state = '57014' AND message NOT LIKE '%REMOTE%'
$$;

-- The best k of all shards, exactly those of one table with all melodies. All shards are asked at once. If one fails, each
-- is asked by itself; `missing` then names the shards that did not answer, in every row. Where nothing was found either,
-- there is one row without an id.
CREATE FUNCTION search(query text, system text DEFAULT 'rondo', k integer DEFAULT 10,
                       OUT rank bigint, OUT id text, OUT title text, OUT distance double precision,
                       OUT missing integer[])
RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
  hits shard_hit[];
  more shard_hit[];
  lost integer[] := '{}';
  shard integer;
BEGIN
  -- What no shard could understand is an error of the caller, not of the shards.
  PERFORM melody_query(query, system);
  FOR attempt IN 1 .. 4 LOOP
    lost := '{}';
    BEGIN
      SELECT array_agg(h) INTO hits FROM search_all(query, system, k) h;
    EXCEPTION WHEN OTHERS OR query_canceled THEN
      IF is_own_cancel(SQLSTATE, SQLERRM) THEN RAISE; END IF;
      hits := NULL;
      FOR shard IN SELECT shard_numbers() LOOP
        BEGIN
          SELECT array_agg(h) INTO more FROM search_one(shard, query, system, k) h;
          hits := hits || more;
        EXCEPTION WHEN OTHERS OR query_canceled THEN
          IF is_own_cancel(SQLSTATE, SQLERRM) THEN RAISE; END IF;
          lost := lost || shard;
          RAISE WARNING 'shard % did not answer: %', shard, SQLERRM;
        END;
      END LOOP;
    END;
    -- While share_statistics() sets them, one shard may have the new ones already: their scores cannot be compared.
    EXIT WHEN (SELECT count(DISTINCT h.statistics) FROM unnest(hits) h) <= 1;
    IF attempt = 4 THEN
      RAISE WARNING 'the shards have different statistics, so the order is not exact' USING HINT = 'Run share_statistics().';
    ELSE
      PERFORM pg_sleep(0.05);
    END IF;
  END LOOP;
  IF hits IS NULL AND lost <> '{}' THEN
    missing := lost;
    RETURN NEXT;
    RETURN;
  END IF;
  RETURN QUERY
    SELECT row_number() OVER (ORDER BY h.distance, h.tie, h.difference, h.id COLLATE "C"), h.id, h.title, h.distance, lost
    FROM unnest(hits) h ORDER BY 1 LIMIT k;
END $$;

-- A melody goes to the shard that the hash of its id names.
CREATE FUNCTION put(new_id text, new_title text, new_melody text) RETURNS boolean LANGUAGE plproxy AS $$
  CLUSTER 'write_shards'; RUN ON hashtext(new_id); TARGET shard_put;
$$;

CREATE FUNCTION counts() RETURNS SETOF bigint LANGUAGE plproxy AS $$
  CLUSTER 'search_shards'; RUN ON ALL; TARGET shard_count;
$$;

CREATE FUNCTION statistics_of_shards(OUT melody_window bigint, OUT occurrences bigint)
RETURNS SETOF record LANGUAGE plproxy AS $$
  CLUSTER 'write_shards'; RUN ON ALL; TARGET shard_statistics;
$$;
CREATE FUNCTION set_statistics_of_shards(windows bigint[], occurrences bigint[]) RETURNS SETOF boolean
LANGUAGE plproxy AS $$
  CLUSTER 'write_shards'; RUN ON ALL; TARGET shard_statistics_set;
$$;
-- After an import, and now and then: scores on all shards are then those of one machine.
CREATE FUNCTION share_statistics() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  windows bigint[];
  counted bigint[];
BEGIN
  SELECT array_agg(s.melody_window), array_agg(s.total) INTO windows, counted
  FROM (SELECT melody_window, sum(occurrences)::bigint AS total FROM statistics_of_shards() GROUP BY 1) s;
  PERFORM set_statistics_of_shards(coalesce(windows, '{}'), coalesce(counted, '{}'));
  RETURN coalesce(array_length(windows, 1), 0);
END $$;

REVOKE EXECUTE ON FUNCTION put, statistics_of_shards, set_statistics_of_shards, share_statistics FROM PUBLIC;
