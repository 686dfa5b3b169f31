#include "access/reloptions.h"
#include "catalog/pg_opclass.h"
#include "commands/progress.h"
#include "commands/vacuum.h"
#include "index.h"
#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

PG_FUNCTION_INFO_V1(rondo_handler);

static relopt_kind option_kind;

typedef struct Options {
  int32 vl_len_;
} Options;

void rondo_define_options(void) { option_kind = add_reloption_kind(); }

/* There are none yet; unknown ones are refused. */
bytea* rondo_options(Datum options, bool validate) {
  return (bytea*)build_reloptions(options, validate, option_kind, sizeof(Options), NULL, 0);
}

/* A search reads all of the index once, mostly by bounds that rule a melody out, then gives rows at once. */
static void estimate_cost(PlannerInfo* root, IndexPath* path, double loops, Cost* startup, Cost* total,
                          Selectivity* selectivity, double* correlation, double* pages) {
  double rows = path->indexinfo->tuples;
  /* A bound costs a fraction of what a score does, of which the operator's cost tells. */
  const double bound = 0.2;

  (void)loops;
  *selectivity = 1;
  *correlation = 0;
  *pages = path->indexinfo->pages;
  if (path->indexorderbys == NIL) {
    /* It has no order then, and reading the table is cheaper. */
    *startup = *total = disable_cost;
    return;
  }
  *startup = rows * bound * cpu_operator_cost + 100 * cpu_operator_cost;
  *total = *startup + rows * (cpu_index_tuple_cost + cpu_operator_cost);
  (void)root;
}

static bool validate(Oid class_oid) {
  (void)class_oid;
  return true;
}

static char* phase_name(int64 phase) {
  switch (phase) {
    case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE: return "initializing";
    case 2: return "reading melodies";
    case 3: return "writing a segment";
    case 4: return "counting windows of notes";
    default: return NULL;
  }
}

Datum rondo_handler(PG_FUNCTION_ARGS) {
  IndexAmRoutine* routine = makeNode(IndexAmRoutine);

  (void)fcinfo;
  routine->amstrategies = 1;
  routine->amsupport = 0;
  routine->amoptsprocnum = 0;
  routine->amcanorder = false;
  routine->amcanorderbyop = true;
  routine->amcanbackward = false;
  routine->amcanunique = false;
  routine->amcanmulticol = false;
  routine->amoptionalkey = true;
  routine->amsearcharray = false;
  routine->amsearchnulls = false;
  routine->amstorage = false;
  routine->amclusterable = false;
  routine->ampredlocks = false;
  routine->amcanparallel = false;
  routine->amcaninclude = false;
  routine->amusemaintenanceworkmem = true;
  routine->amparallelvacuumoptions = VACUUM_OPTION_NO_PARALLEL;
  routine->amkeytype = InvalidOid;
  routine->ambuild = rondo_build;
  routine->ambuildempty = rondo_build_empty;
  routine->aminsert = rondo_insert;
  routine->ambulkdelete = rondo_bulk_delete;
  routine->amvacuumcleanup = rondo_vacuum_cleanup;
  routine->amcostestimate = estimate_cost;
  routine->amoptions = rondo_options;
  routine->ambuildphasename = phase_name;
  routine->amvalidate = validate;
  routine->ambeginscan = rondo_begin_scan;
  routine->amrescan = rondo_rescan;
  routine->amgettuple = rondo_next_tuple;
  routine->amendscan = rondo_end_scan;
  PG_RETURN_POINTER(routine);
}
