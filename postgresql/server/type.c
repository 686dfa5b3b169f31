/* What the types melody and melodyquery have in common. A value is a varlena with bytes that the bridge understands. */
#include "libpq/pqformat.h"
#include "rondo.h"

Datum rondo_type_in(FunctionCallInfo fcinfo, RondoConvert read) {
  char* text = PG_GETARG_CSTRING(0);
  RondoBytes value;

  rondo_expect_read(read(rondo_utf8((RondoBytes){text, strlen(text)}), &value), ERRCODE_INVALID_TEXT_REPRESENTATION);
  PG_RETURN_POINTER(rondo_value(value));
}

Datum rondo_type_out(FunctionCallInfo fcinfo, RondoConvert show) {
  RondoBytes text;

  rondo_expect(show(rondo_content(PG_GETARG_VARLENA_PP(0)), &text), ERRCODE_DATA_CORRUPTED);
  PG_RETURN_CSTRING(rondo_cstring(rondo_from_utf8(text)));
}

Datum rondo_type_recv(FunctionCallInfo fcinfo, RondoCheck check) {
  StringInfo message = (StringInfo)PG_GETARG_POINTER(0);
  int size = message->len - message->cursor;
  RondoBytes value = {pq_getmsgbytes(message, size), (size_t)size};

  rondo_expect(check(value), ERRCODE_INVALID_BINARY_REPRESENTATION);
  PG_RETURN_POINTER(rondo_value(value));
}

Datum rondo_type_send(FunctionCallInfo fcinfo) {
  StringInfoData out;
  RondoBytes value = rondo_content(PG_GETARG_VARLENA_PP(0));

  pq_begintypsend(&out);
  pq_sendbytes(&out, value.data, (int)value.size);
  PG_RETURN_BYTEA_P(pq_endtypsend(&out));
}
