#pragma once

/// Rondo finds melodies that resemble a query melody. The public headers, in the order in which to read them:
///
///   base/result.h        Result<T>: a value, or an Error with code, message, place and hint. Nothing here throws.
///   base/bytes.h         ByteSource: where files, archives and memory are read from
///   melody/fraction.h    exact time
///   melody/pitch.h       spelled pitch
///   melody/signature.h   clefs, keys, times
///   melody/voice.h       Note and Voice: one line of music as notated
///   melody/piece.h       Piece: voices and metadata
///   melody/builder.h     VoiceBuilder: builds a voice note by note
///   melody/line.h        Line: a voice as systems compare it
///   formats/format.h     the formats, and the sink for the pieces they read
///   formats/open.h       files, folders and archives
///   query/reading.h      parses a typed query
///   store/collection.h   Collection: one file with all pieces
///   store/import.h       import_paths: from files into a collection
///   similarity/system.h  System: scores and explains two melodies; the table of systems; how to write one
///   similarity/plan.h    SearchPlan: lets a user-defined system be searched through the index
///   search/service.h     CollectionSnapshot: the best hits, exactly
///   evaluation/run.h, truth.h, evaluate.h   ranked lists, ground truths, and measures
///
/// docs/cpp.md shows how to use them. Everything that is not in these headers is internal and may change.

#include "rondo/base/bytes.h"
#include "rondo/base/result.h"
#include "rondo/evaluation/evaluate.h"
#include "rondo/evaluation/run.h"
#include "rondo/evaluation/truth.h"
#include "rondo/features/edit_distance.h"
#include "rondo/formats/format.h"
#include "rondo/formats/open.h"
#include "rondo/melody/builder.h"
#include "rondo/melody/fraction.h"
#include "rondo/melody/line.h"
#include "rondo/melody/piece.h"
#include "rondo/melody/pitch.h"
#include "rondo/melody/signature.h"
#include "rondo/melody/voice.h"
#include "rondo/query/reading.h"
#include "rondo/search/service.h"
#include "rondo/similarity/plan.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"
#include "rondo/store/import.h"
