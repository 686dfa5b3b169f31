#pragma once

#include "rondo/formats/format.h"

/// The functions behind the rows of the table of formats (see Format for their contracts), one source file each.
namespace rondo {

int recognise_abc(std::string_view head);
Result<void> read_abc(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_abc(const Piece& piece);

int recognise_esac(std::string_view head);
Result<void> read_esac(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_esac(const Piece& piece);

int recognise_jsonl(std::string_view head);
Result<void> read_jsonl(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_jsonl(const Piece& piece);

int recognise_kern(std::string_view head);
Result<void> read_kern(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_kern(const Piece& piece);

int recognise_marc(std::string_view head);
Result<void> read_marc(ByteSource& in, const ReadOptions& options, PieceSink& sink);

int recognise_marcxml(std::string_view head);
Result<void> read_marcxml(ByteSource& in, const ReadOptions& options, PieceSink& sink);

int recognise_mei(std::string_view head);
Result<void> read_mei(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_mei(const Piece& piece);
/// One voice for an engraver: note i of it has the xml:id "n{i}", the notes tied to it "n{i}-2" and so on; short notes
/// are beamed by the beat; if there is no clef, a suitable one is chosen. For display only: the output is not read
/// again to check it.
Result<std::string> write_engraving(const Voice& voice);

int recognise_midi(std::string_view head);
Result<void> read_midi(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_midi(const Piece& piece);

int recognise_musescore(std::string_view head);
Result<void> read_musescore(ByteSource& in, const ReadOptions& options, PieceSink& sink);

int recognise_musicxml(std::string_view head);
Result<void> read_musicxml(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_musicxml(const Piece& piece);

int recognise_pae(std::string_view head);
Result<void> read_pae(ByteSource& in, const ReadOptions& options, PieceSink& sink);
Result<std::string> write_pae(const Piece& piece);

}  // namespace rondo
