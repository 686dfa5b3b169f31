/* The type melody: in and out, conversions and features. A value is a varlena with the packed form. */
#include "access/hash.h"
#include "common/hashfn.h"
#include "rondo.h"
#include "utils/builtins.h"

#define MELODY_ARG(n) rondo_content(PG_GETARG_VARLENA_PP(n))

PG_FUNCTION_INFO_V1(melody_in);
PG_FUNCTION_INFO_V1(melody_out);
PG_FUNCTION_INFO_V1(melody_recv);
PG_FUNCTION_INFO_V1(melody_send);
PG_FUNCTION_INFO_V1(melody_from_bytes);
PG_FUNCTION_INFO_V1(melody_from_text);
PG_FUNCTION_INFO_V1(melody_from_file);
PG_FUNCTION_INFO_V1(melody_packed);
PG_FUNCTION_INFO_V1(melody_midi);
PG_FUNCTION_INFO_V1(melody_features);
PG_FUNCTION_INFO_V1(melody_cmp);
PG_FUNCTION_INFO_V1(melody_hash);
PG_FUNCTION_INFO_V1(melody_hash_extended);

Datum melody_in(PG_FUNCTION_ARGS) { return rondo_type_in(fcinfo, rondo_melody_in); }
Datum melody_out(PG_FUNCTION_ARGS) { return rondo_type_out(fcinfo, rondo_melody_out); }
Datum melody_recv(PG_FUNCTION_ARGS) { return rondo_type_recv(fcinfo, rondo_melody_check); }
Datum melody_send(PG_FUNCTION_ARGS) { return rondo_type_send(fcinfo); }

Datum melody_from_text(PG_FUNCTION_ARGS) {
  RondoBytes packed;

  rondo_expect_read(rondo_melody_in(rondo_utf8(MELODY_ARG(0)), &packed), ERRCODE_INVALID_TEXT_REPRESENTATION);
  PG_RETURN_POINTER(rondo_value(packed));
}

/* The packed form as bytea, and back. */
Datum melody_packed(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(rondo_value(MELODY_ARG(0))); }

Datum melody_from_bytes(PG_FUNCTION_ARGS) {
  RondoBytes packed = MELODY_ARG(0);

  rondo_expect(rondo_melody_check(packed), ERRCODE_INVALID_BINARY_REPRESENTATION);
  PG_RETURN_POINTER(rondo_value(packed));
}

Datum melody_from_file(PG_FUNCTION_ARGS) {
  RondoBytes packed;

  rondo_expect_read(rondo_melody_from(MELODY_ARG(0), rondo_utf8(MELODY_ARG(1)), PG_GETARG_INT32(2), &packed),
                    ERRCODE_INVALID_TEXT_REPRESENTATION);
  PG_RETURN_POINTER(rondo_value(packed));
}

static Datum to_text(RondoBytes packed, const char* format) {
  RondoBytes file;

  rondo_expect(rondo_melody_to(packed, format, &file), ERRCODE_FEATURE_NOT_SUPPORTED);
  return PointerGetDatum(rondo_value(rondo_from_utf8(file)));
}

#define TEXT_FORMAT(name)                                                         \
  PG_FUNCTION_INFO_V1(melody_##name);                                             \
  Datum melody_##name(PG_FUNCTION_ARGS) { return to_text(MELODY_ARG(0), #name); } \
  extern int rondo_unused

TEXT_FORMAT(pae);
TEXT_FORMAT(abc);
TEXT_FORMAT(kern);
TEXT_FORMAT(mei);
TEXT_FORMAT(musicxml);
TEXT_FORMAT(jsonl);

Datum melody_midi(PG_FUNCTION_ARGS) {
  RondoBytes file;

  rondo_expect(rondo_melody_to(MELODY_ARG(0), "midi", &file), ERRCODE_FEATURE_NOT_SUPPORTED);
  PG_RETURN_POINTER(rondo_value(file));
}

static double number_feature(RondoBytes packed, const char* name) {
  double value = 0;

  rondo_expect(rondo_feature_number(packed, name, &value), ERRCODE_DATA_CORRUPTED);
  return value;
}

static Datum text_feature(RondoBytes packed, const char* name) {
  RondoBytes text;

  rondo_expect(rondo_feature_text(packed, name, &text), ERRCODE_DATA_CORRUPTED);
  return PointerGetDatum(rondo_value(rondo_from_utf8(text)));
}

#define INTEGER_FEATURE(name)                                                                             \
  PG_FUNCTION_INFO_V1(melody_##name);                                                                     \
  Datum melody_##name(PG_FUNCTION_ARGS) { PG_RETURN_INT32((int32)number_feature(MELODY_ARG(0), #name)); } \
  extern int rondo_unused

#define TEXT_FEATURE(name)                                                             \
  PG_FUNCTION_INFO_V1(melody_##name);                                                  \
  Datum melody_##name(PG_FUNCTION_ARGS) { return text_feature(MELODY_ARG(0), #name); } \
  extern int rondo_unused

INTEGER_FEATURE(notes);
INTEGER_FEATURE(lowest);
INTEGER_FEATURE(highest);
INTEGER_FEATURE(range);
INTEGER_FEATURE(range_steps);
INTEGER_FEATURE(max_interval);
INTEGER_FEATURE(max_interval_steps);
INTEGER_FEATURE(unisons);
INTEGER_FEATURE(seconds);
INTEGER_FEATURE(thirds);
INTEGER_FEATURE(fourths);
INTEGER_FEATURE(fifths);
INTEGER_FEATURE(sixths);
INTEGER_FEATURE(sevenths);
INTEGER_FEATURE(octaves);
INTEGER_FEATURE(larger);
TEXT_FEATURE(contour);
TEXT_FEATURE(rhythm);
TEXT_FEATURE(clef);
TEXT_FEATURE(key_signature);
TEXT_FEATURE(key);
TEXT_FEATURE(time);
TEXT_FEATURE(diatonic);
TEXT_FEATURE(chromatic);

PG_FUNCTION_INFO_V1(melody_duration_ratio);
Datum melody_duration_ratio(PG_FUNCTION_ARGS) { PG_RETURN_FLOAT8(number_feature(MELODY_ARG(0), "duration_ratio")); }

Datum melody_features(PG_FUNCTION_ARGS) { return text_feature(MELODY_ARG(0), NULL); }

/* Two melodies are equal when their packed forms are; their order has no meaning but is the same everywhere. */
Datum melody_cmp(PG_FUNCTION_ARGS) {
  RondoBytes a = MELODY_ARG(0);
  RondoBytes b = MELODY_ARG(1);
  int order = memcmp(a.data, b.data, Min(a.size, b.size));

  if (order == 0) order = a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
  PG_RETURN_INT32(order < 0 ? -1 : order > 0 ? 1 : 0);
}

#define COMPARISON(name, sign)                                                                        \
  PG_FUNCTION_INFO_V1(melody_##name);                                                                 \
  Datum melody_##name(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(DatumGetInt32(melody_cmp(fcinfo)) sign 0); } \
  extern int rondo_unused

COMPARISON(eq, ==);
COMPARISON(ne, !=);
COMPARISON(lt, <);
COMPARISON(le, <=);
COMPARISON(gt, >);
COMPARISON(ge, >=);

Datum melody_hash(PG_FUNCTION_ARGS) {
  RondoBytes packed = MELODY_ARG(0);

  return hash_any((const unsigned char*)packed.data, (int)packed.size);
}

Datum melody_hash_extended(PG_FUNCTION_ARGS) {
  RondoBytes packed = MELODY_ARG(0);

  return hash_any_extended((const unsigned char*)packed.data, (int)packed.size, PG_GETARG_INT64(1));
}
