/* Scores of two melodies, the type melodyquery, and the operator <-> between a melody and a query. */
#include "access/genam.h"
#include "access/relation.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "index.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "parser/parse_func.h"
#include "rondo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

PG_FUNCTION_INFO_V1(melody_score);
PG_FUNCTION_INFO_V1(melody_explain);
PG_FUNCTION_INFO_V1(melodyquery_in);
PG_FUNCTION_INFO_V1(melodyquery_out);
PG_FUNCTION_INFO_V1(melodyquery_recv);
PG_FUNCTION_INFO_V1(melodyquery_send);
PG_FUNCTION_INFO_V1(melody_query_from_text);
PG_FUNCTION_INFO_V1(melody_query_from_melody);
PG_FUNCTION_INFO_V1(melody_query_bind);
PG_FUNCTION_INFO_V1(melody_query_melody);
PG_FUNCTION_INFO_V1(melody_query_learns);
PG_FUNCTION_INFO_V1(melody_distance);
PG_FUNCTION_INFO_V1(melody_tie);
PG_FUNCTION_INFO_V1(melody_length_difference);
PG_FUNCTION_INFO_V1(melody_distance_support);

#define BYTES_ARG(n) rondo_content(PG_GETARG_VARLENA_PP(n))
#define TEXT_ARG(n) rondo_utf8(BYTES_ARG(n))

Datum melody_score(PG_FUNCTION_ARGS) {
  size_t count;
  RondoBytes* settings = rondo_texts(PG_GETARG_DATUM(3), &count);
  double score;
  bool null;

  rondo_expect(rondo_score(TEXT_ARG(0), settings, count, BYTES_ARG(1), BYTES_ARG(2), &score, &null),
               ERRCODE_INVALID_PARAMETER_VALUE);
  if (null) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(score);
}

Datum melody_explain(PG_FUNCTION_ARGS) {
  size_t count;
  RondoBytes* settings = rondo_texts(PG_GETARG_DATUM(3), &count);
  RondoBytes json;

  rondo_expect(rondo_explain(TEXT_ARG(0), settings, count, BYTES_ARG(1), BYTES_ARG(2), &json),
               ERRCODE_INVALID_PARAMETER_VALUE);
  PG_RETURN_POINTER(rondo_value(rondo_from_utf8(json)));
}

Datum melodyquery_in(PG_FUNCTION_ARGS) { return rondo_type_in(fcinfo, rondo_query_in); }
Datum melodyquery_out(PG_FUNCTION_ARGS) { return rondo_type_out(fcinfo, rondo_query_out); }
Datum melodyquery_recv(PG_FUNCTION_ARGS) { return rondo_type_recv(fcinfo, rondo_query_check); }
Datum melodyquery_send(PG_FUNCTION_ARGS) { return rondo_type_send(fcinfo); }

/* (melody, system, settings, statistics); only the last may be null. */
static Datum make_query(FunctionCallInfo fcinfo, bool packed) {
  size_t count;
  RondoBytes* settings;
  RondoBytes melody;
  RondoBytes query;
  Oid statistics = PG_ARGISNULL(3) ? InvalidOid : PG_GETARG_OID(3);

  if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2)) PG_RETURN_NULL();
  settings = rondo_texts(PG_GETARG_DATUM(2), &count);
  melody = packed ? BYTES_ARG(0) : TEXT_ARG(0);
  rondo_expect_read(rondo_query_make(melody, packed, TEXT_ARG(1), settings, count, statistics, &query),
                    ERRCODE_INVALID_PARAMETER_VALUE);
  PG_RETURN_POINTER(rondo_value(query));
}

Datum melody_query_from_text(PG_FUNCTION_ARGS) { return make_query(fcinfo, false); }
Datum melody_query_from_melody(PG_FUNCTION_ARGS) { return make_query(fcinfo, true); }

Datum melody_query_melody(PG_FUNCTION_ARGS) {
  RondoBytes melody;

  rondo_expect(rondo_query_melody(BYTES_ARG(0), &melody), ERRCODE_DATA_CORRUPTED);
  PG_RETURN_POINTER(rondo_value(melody));
}

/* Whether its scores depend on statistics. */
Datum melody_query_learns(PG_FUNCTION_ARGS) {
  uint32_t statistics = 0;
  bool learns = false;

  rondo_expect(rondo_query_statistics(BYTES_ARG(0), &statistics, &learns), ERRCODE_DATA_CORRUPTED);
  PG_RETURN_BOOL(learns);
}

/* A query whose scores depend on statistics and that names none gets those of an index. */
static Datum bind_query(struct varlena* value, Oid index) {
  uint32_t statistics = 0;
  bool learns = false;
  RondoBytes bound;

  rondo_expect(rondo_query_statistics(rondo_content(value), &statistics, &learns), ERRCODE_DATA_CORRUPTED);
  if (!learns || statistics != 0) return PointerGetDatum(value);
  rondo_expect(rondo_query_bind(rondo_content(value), index, &bound), ERRCODE_DATA_CORRUPTED);
  return PointerGetDatum(rondo_value(bound));
}

/* What the planner made carries this as its input collation, which SQL cannot give, as melodies have no collation. A
 * query with it has statistics that the reader of the table may use. */
#define STATISTICS_OF_TABLE DEFAULT_COLLATION_OID

/* Statistics that were named are those of any index. */
static void check_right(RondoBytes query) {
  uint32_t statistics = 0;
  bool learns = false;

  rondo_expect(rondo_query_statistics(query, &statistics, &learns), ERRCODE_DATA_CORRUPTED);
  if (statistics != 0 && learns) rondo_need_right_to_read(statistics);
}

Datum melody_query_bind(PG_FUNCTION_ARGS) {
  struct varlena* value = PG_GETARG_VARLENA_P(0);

  if (PG_GET_COLLATION() == STATISTICS_OF_TABLE) check_right(rondo_content(value));
  return bind_query(value, PG_GETARG_OID(1));
}

/* ---- the operator -------------------------------------------------------------------------------------------------
 */

static void free_scorer(void* scorer) { rondo_scorer_free(scorer); }

/* A scorer lives as long as the call site and is made anew when the query changes. */
typedef struct ScorerSlot {
  RondoScorer* scorer;
  MemoryContext context; /* its end frees the scorer */
} ScorerSlot;

void rondo_need_query_statistics(RondoBytes query, Oid collation) {
  uint32_t statistics = 0;
  bool learns = false;

  rondo_expect(rondo_query_statistics(query, &statistics, &learns), ERRCODE_DATA_CORRUPTED);
  if (statistics == 0 || !learns) return;
  if (collation != STATISTICS_OF_TABLE) rondo_need_right_to_read(statistics);
  rondo_need_statistics(statistics);
}

static RondoScorer* scorer_for(FunctionCallInfo fcinfo, RondoBytes query) {
  ScorerSlot* slot = fcinfo->flinfo->fn_extra;
  MemoryContextCallback* callback;
  MemoryContext context;

  if (slot == NULL) {
    slot = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(ScorerSlot));
    fcinfo->flinfo->fn_extra = slot;
  }
  if (slot->scorer != NULL && rondo_scorer_is_for(slot->scorer, query)) return slot->scorer;
  if (slot->scorer != NULL) {
    slot->scorer = NULL;
    MemoryContextDelete(slot->context);
  }
  rondo_need_query_statistics(query, PG_GET_COLLATION());
  context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "melody query", ALLOCSET_SMALL_SIZES);
  callback = MemoryContextAllocZero(context, sizeof(MemoryContextCallback));
  rondo_expect(rondo_scorer_make(query, &slot->scorer), ERRCODE_DATA_CORRUPTED);
  slot->context = context;
  callback->func = free_scorer;
  callback->arg = slot->scorer;
  MemoryContextRegisterResetCallback(context, callback);
  return slot->scorer;
}

Datum melody_distance(PG_FUNCTION_ARGS) {
  RondoScorer* scorer = scorer_for(fcinfo, BYTES_ARG(1));
  double distance;
  bool null;

  rondo_expect(rondo_scorer_distance(scorer, BYTES_ARG(0), &distance, &null), ERRCODE_DATA_CORRUPTED);
  if (null) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(distance);
}

Datum melody_tie(PG_FUNCTION_ARGS) {
  RondoScorer* scorer = scorer_for(fcinfo, BYTES_ARG(1));
  double rule;
  int32_t notes;

  rondo_expect(rondo_scorer_tie(scorer, BYTES_ARG(0), &rule, &notes), ERRCODE_DATA_CORRUPTED);
  PG_RETURN_FLOAT8(rule);
}

Datum melody_length_difference(PG_FUNCTION_ARGS) {
  RondoScorer* scorer = scorer_for(fcinfo, BYTES_ARG(1));
  double rule;
  int32_t notes;

  rondo_expect(rondo_scorer_tie(scorer, BYTES_ARG(0), &rule, &notes), ERRCODE_DATA_CORRUPTED);
  PG_RETURN_INT32(notes);
}

/* ---- planning -----------------------------------------------------------------------------------------------------
 */

/* The first index of ours on a column of a table; InvalidOid: there is none. `family` gets its operator family. */
static Oid index_on(Oid table, AttrNumber column, Oid* family) {
  Relation relation = relation_open(table, NoLock); /* the planner holds a lock */
  List* indexes = RelationGetIndexList(relation);
  ListCell* cell;
  Oid found = InvalidOid;

  foreach (cell, indexes) {
    Relation index = index_open(lfirst_oid(cell), AccessShareLock);

    if (!OidIsValid(found) && rondo_is_index(index) && index->rd_index->indisvalid &&
        index->rd_index->indkey.values[0] == column && RelationGetIndexPredicate(index) == NIL) {
      found = RelationGetRelid(index);
      *family = index->rd_opfamily[0];
    }
    index_close(index, AccessShareLock);
  }
  list_free(indexes);
  relation_close(relation, NoLock);
  return found;
}

/* A distance of a column with an index from a query without statistics, and what decides between equal distances,
 * becomes one with the statistics of that index, wherever in a statement it stands: what is sorted by, shown and found
 * by the index is then one and the same. */
static Node* with_statistics(SupportRequestSimplify* request) {
  FuncExpr* call = request->fcall;
  Node* column;
  Node* query;
  RangeTblEntry* table;
  Oid family = InvalidOid;
  Oid index;
  Oid distance;

  if (request->root == NULL || list_length(call->args) != 2) return NULL;
  column = linitial(call->args);
  query = lsecond(call->args);
  if (!IsA(column, Var) || ((Var*)column)->varlevelsup != 0 || ((Var*)column)->varattno <= 0) return NULL;
  if (((Var*)column)->varno <= 0 || ((Var*)column)->varno > list_length(request->root->parse->rtable)) return NULL;
  table = list_nth(request->root->parse->rtable, ((Var*)column)->varno - 1);
  if (table->rtekind != RTE_RELATION || (table->relkind != RELKIND_RELATION && table->relkind != RELKIND_MATVIEW)) {
    return NULL;
  }
  if (IsA(query, Const) && ((Const*)query)->constisnull) return NULL;
  if (IsA(query, FuncExpr)) {
    char* name = get_func_name(((FuncExpr*)query)->funcid);

    if (name != NULL && strcmp(name, "melody_query_bind") == 0) return NULL;
  }
  index = index_on(table->relid, ((Var*)column)->varattno, &family);
  if (!OidIsValid(index)) return NULL;
  distance = get_opfamily_member(family, exprType(column), exprType(query), 1);
  if (!OidIsValid(distance)) return NULL;
  if (IsA(query, Const)) {
    Const* constant = (Const*)query;
    struct varlena* value = PG_DETOAST_DATUM(constant->constvalue);
    Datum bound = bind_query(value, index);

    if (bound == PointerGetDatum(value)) return NULL;
    query = (Node*)makeConst(constant->consttype, constant->consttypmod, constant->constcollid, constant->constlen,
                             bound, false, constant->constbyval);
  } else {
    Oid types[2] = {exprType(query), OIDOID};
    char* schema = get_namespace_name(get_func_namespace(call->funcid));
    Oid bind = LookupFuncName(list_make2(makeString(schema), makeString("melody_query_bind")), 2, types, true);

    if (!OidIsValid(bind)) return NULL;
    query = (Node*)makeFuncExpr(
        bind, exprType(query),
        list_make2(query, makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(index), false, true)),
        InvalidOid, STATISTICS_OF_TABLE, COERCE_EXPLICIT_CALL);
  }
  if (get_opcode(distance) != call->funcid) {
    FuncExpr* out = makeFuncExpr(call->funcid, call->funcresulttype, list_make2(column, query), call->funccollid,
                                 STATISTICS_OF_TABLE, call->funcformat);

    return (Node*)out;
  } else {
    OpExpr* out = (OpExpr*)make_opclause(distance, call->funcresulttype, false, (Expr*)column, (Expr*)query, InvalidOid,
                                         STATISTICS_OF_TABLE);

    out->opfuncid = call->funcid;
    return (Node*)out;
  }
}

Datum melody_distance_support(PG_FUNCTION_ARGS) {
  Node* request = (Node*)PG_GETARG_POINTER(0);
  Node* out = NULL;

  if (IsA(request, SupportRequestSimplify)) out = with_statistics((SupportRequestSimplify*)request);
  PG_RETURN_POINTER(out);
}
