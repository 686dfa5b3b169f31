-- The extension rondo; docs/postgresql.md describes it.
\echo Use "CREATE EXTENSION rondo" to load this file. \quit

-- ---- melodies ----------------------------------------------------------------------------------------------------

CREATE TYPE melody;
CREATE FUNCTION melody_in(cstring) RETURNS melody
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_out(melody) RETURNS cstring
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_recv(internal) RETURNS melody
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_send(melody) RETURNS bytea
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE melody (
  INPUT = melody_in, OUTPUT = melody_out, RECEIVE = melody_recv, SEND = melody_send,
  INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended
);
COMMENT ON TYPE melody IS 'one voice of music, exact: notes, bars, clefs, keys and times';

-- From and to texts and files.
CREATE FUNCTION melody(text) RETURNS melody
  AS 'MODULE_PATHNAME', 'melody_from_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION melody(text) IS 'a melody from Plaine & Easie Code or JSON';
CREATE FUNCTION melody(bytea) RETURNS melody
  AS 'MODULE_PATHNAME', 'melody_from_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION melody(bytea) IS 'a melody from its packed form';
CREATE FUNCTION melody_packed(melody) RETURNS bytea
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION melody_packed(melody) IS 'the packed form, as in binary transfers';
CREATE FUNCTION melody_from(file bytea, format text DEFAULT '', voice integer DEFAULT 0) RETURNS melody
  AS 'MODULE_PATHNAME', 'melody_from_file' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION melody_from(bytea,text,integer) IS 'a voice of a file in any format that Rondo reads';
CREATE FUNCTION melody_pae(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_abc(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_kern(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_mei(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_musicxml(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_midi(melody) RETURNS bytea
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melody_json(melody) RETURNS json
  AS 'MODULE_PATHNAME', 'melody_jsonl' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

CREATE CAST (text AS melody) WITH FUNCTION melody(text);
CREATE CAST (melody AS text) WITH INOUT AS ASSIGNMENT;
CREATE CAST (bytea AS melody) WITH FUNCTION melody(bytea);
CREATE CAST (melody AS bytea) WITH FUNCTION melody_packed(melody);
CREATE CAST (melody AS json) WITH FUNCTION melody_json(melody);
CREATE CAST (json AS melody) WITH INOUT;
CREATE CAST (jsonb AS melody) WITH INOUT;

-- Features, for generated columns and ordinary indexes.
CREATE FUNCTION melody_notes(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_lowest(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_highest(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_range(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_range_steps(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_max_interval(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_max_interval_steps(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_unisons(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_seconds(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_thirds(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_fourths(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_fifths(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_sixths(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_sevenths(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_octaves(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_larger(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_duration_ratio(melody) RETURNS double precision
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_contour(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_rhythm(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_clef(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_key_signature(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_key(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_time(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_diatonic(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_chromatic(melody) RETURNS text
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody_features(melody) RETURNS json
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

-- Equality is that of all that is notated; the order has no meaning, but is the same everywhere.
CREATE FUNCTION melody_eq(melody, melody) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_ne(melody, melody) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_lt(melody, melody) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_le(melody, melody) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_gt(melody, melody) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_ge(melody, melody) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_cmp(melody, melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_hash(melody) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
CREATE FUNCTION melody_hash_extended(melody, bigint) RETURNS bigint
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;

CREATE OPERATOR = (LEFTARG = melody, RIGHTARG = melody, FUNCTION = melody_eq, COMMUTATOR = =, NEGATOR = <>,
  RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
CREATE OPERATOR <> (LEFTARG = melody, RIGHTARG = melody, FUNCTION = melody_ne, COMMUTATOR = <>, NEGATOR = =,
  RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR < (LEFTARG = melody, RIGHTARG = melody, FUNCTION = melody_lt, COMMUTATOR = >, NEGATOR = >=,
  RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR <= (LEFTARG = melody, RIGHTARG = melody, FUNCTION = melody_le, COMMUTATOR = >=, NEGATOR = >,
  RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR > (LEFTARG = melody, RIGHTARG = melody, FUNCTION = melody_gt, COMMUTATOR = <, NEGATOR = <=,
  RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
CREATE OPERATOR >= (LEFTARG = melody, RIGHTARG = melody, FUNCTION = melody_ge, COMMUTATOR = <=, NEGATOR = <,
  RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR CLASS melody_btree_ops DEFAULT FOR TYPE melody USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 melody_cmp(melody, melody);
CREATE OPERATOR CLASS melody_hash_ops DEFAULT FOR TYPE melody USING hash AS
  OPERATOR 1 =, FUNCTION 1 melody_hash(melody), FUNCTION 2 melody_hash_extended(melody, bigint);

-- ---- scores --------------------------------------------------------------------------------------------------------

CREATE FUNCTION melody_score(system text, query melody, document melody, settings text[] DEFAULT '{}') RETURNS double precision
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION melody_explain(system text, query melody, document melody, settings text[] DEFAULT '{}') RETURNS json
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

-- What is looked for: a melody, a system with its settings, and the index whose statistics count.
CREATE TYPE melodyquery;
CREATE FUNCTION melodyquery_in(cstring) RETURNS melodyquery
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melodyquery_out(melodyquery) RETURNS cstring
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melodyquery_recv(internal) RETURNS melodyquery
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION melodyquery_send(melodyquery) RETURNS bytea
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE melodyquery (
  INPUT = melodyquery_in, OUTPUT = melodyquery_out, RECEIVE = melodyquery_recv, SEND = melodyquery_send,
  INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended
);
COMMENT ON TYPE melodyquery IS 'a melody to look for, with the system that compares';

CREATE FUNCTION melody_query(query text, system text DEFAULT 'rondo', settings text[] DEFAULT '{}',
                             statistics regclass DEFAULT NULL) RETURNS melodyquery
  AS 'MODULE_PATHNAME', 'melody_query_from_text' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 20;
CREATE FUNCTION melody_query(query melody, system text DEFAULT 'rondo', settings text[] DEFAULT '{}',
                             statistics regclass DEFAULT NULL) RETURNS melodyquery
  AS 'MODULE_PATHNAME', 'melody_query_from_melody' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 20;
CREATE FUNCTION melody_query_bind(melodyquery, oid) RETURNS melodyquery
  AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION melody(melodyquery) RETURNS melody
  AS 'MODULE_PATHNAME', 'melody_query_melody' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

CREATE FUNCTION melody_query_learns(melodyquery) RETURNS boolean
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION melody_query_learns(melodyquery) IS 'whether its scores depend on statistics';

CREATE FUNCTION melody_distance_support(internal) RETURNS internal
  AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
-- Statistics may change at any moment, and the processes of one statement must use the same: only the leader compares.
CREATE FUNCTION melody_distance(melody, melodyquery) RETURNS double precision
  AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 500 SUPPORT melody_distance_support;

CREATE OPERATOR <-> (LEFTARG = melody, RIGHTARG = melodyquery, FUNCTION = melody_distance);
COMMENT ON OPERATOR <-> (melody, melodyquery) IS 'minus the score; null where the system does not rank the melody';

-- What decides between equal distances, lower first.
CREATE FUNCTION melody_tie(melody, melodyquery) RETURNS double precision
  AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED COST 500 SUPPORT melody_distance_support;
CREATE FUNCTION melody_length_difference(melody, melodyquery) RETURNS integer
  AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;

-- ---- the index -----------------------------------------------------------------------------------------------------

CREATE FUNCTION rondo_handler(internal) RETURNS index_am_handler
  AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
CREATE ACCESS METHOD rondo TYPE INDEX HANDLER rondo_handler;
COMMENT ON ACCESS METHOD rondo IS 'melodies in the order of their distance from a query, exactly';
CREATE OPERATOR CLASS melody_ops DEFAULT FOR TYPE melody USING rondo AS
  OPERATOR 1 <-> (melody, melodyquery) FOR ORDER BY pg_catalog.float_ops;

CREATE FUNCTION rondo_index_info(index regclass, OUT segments integer, OUT rows bigint, OUT removed bigint,
                                 OUT pending bigint, OUT pending_pages integer, OUT statistics_version bigint,
                                 OUT statistics_given boolean, OUT statistics_windows bigint)
  AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION rondo_index_info(regclass) IS 'what an index consists of';
CREATE FUNCTION rondo_index_check(index regclass) RETURNS SETOF text
  AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION rondo_index_check(regclass) IS 'everything that is damaged; no rows: the index is sound';
REVOKE EXECUTE ON FUNCTION rondo_index_check(regclass) FROM PUBLIC;

CREATE FUNCTION rondo_statistics(index regclass, OUT melody_window bigint, OUT occurrences bigint) RETURNS SETOF record
  AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION rondo_statistics(regclass) IS 'how often each window of three notes occurs';
CREATE FUNCTION rondo_statistics_count(index regclass, OUT melody_window bigint, OUT occurrences bigint)
  RETURNS SETOF record AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION rondo_statistics_count(regclass) IS 'the same, counted anew; nothing is stored';
CREATE FUNCTION rondo_statistics_sum(index regclass) RETURNS bigint
  AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT;
COMMENT ON FUNCTION rondo_statistics_sum(regclass) IS 'a number that indexes with the same statistics have in common';
CREATE FUNCTION rondo_statistics_set(index regclass, windows bigint[], occurrences bigint[]) RETURNS void
  AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION rondo_statistics_set(regclass, bigint[], bigint[]) IS 'sets the statistics, for instance those of all shards';
CREATE FUNCTION rondo_statistics_reset(index regclass) RETURNS void
  AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION rondo_statistics_reset(regclass) IS 'counts the windows of the index anew';

-- ---- memory --------------------------------------------------------------------------------------------------------

CREATE FUNCTION rondo_memory(OUT used bigint, OUT peak bigint, OUT memory_limit bigint)
  AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION rondo_memory() IS 'bytes that melodies and indexes take in this process';
