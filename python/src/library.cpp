#include "library.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/select.h"

namespace rondo::python {

using Lock = std::lock_guard<std::mutex>;

Library::Library(const std::string& path, OpenMode mode) : collection_(value_of(Collection::open(path, mode))) {}

Collection& Library::open() {
  if (!collection_) raise("collection-closed", "the collection has been closed");
  return *collection_;
}

void Library::close() {
  const Lock lock(mutex_);
  snapshot_.reset();
  collection_.reset();
}

std::size_t Library::size() {
  const Lock lock(mutex_);
  return static_cast<std::size_t>(value_of(open().size()).pieces);
}

std::string Library::path() {
  const Lock lock(mutex_);
  return open().path().string();
}

std::string Library::describe() {
  const Lock lock(mutex_);
  if (!collection_) return "<rondo.Collection closed>";
  const auto pieces = value_of(collection_->size()).pieces;
  return fmt::format("<rondo.Collection {}: {} piece{}>", collection_->path().string(), pieces, pieces == 1 ? "" : "s");
}

bool Library::contains(const std::string& id) {
  const Lock lock(mutex_);
  return value_of(open().contains(id));
}

MelodyPointer Library::get(const std::string& id) {
  const Lock lock(mutex_);
  return make_melody(value_of(open().get(id)));
}

std::vector<std::string> Library::ids(const std::string& where) {
  if (!where.empty()) {
    const Lock lock(mutex_);
    return value_of(ids_where(open(), where, SqlLimits::owner()));
  }
  std::vector<std::string> out;
  each("", [&](const Piece& piece) { out.push_back(piece.id); });
  std::sort(out.begin(), out.end());
  return out;
}

PutOutcome Library::put(const Melody& melody) {
  if (melody.piece.id.empty()) raise("id-missing", "a melody needs an id to be kept in a collection");
  const Lock lock(mutex_);
  return value_of(open().put(melody.piece));
}

bool Library::remove(const std::string& id) {
  const Lock lock(mutex_);
  return value_of(open().remove(id));
}

ImportSummary Library::import_paths(const std::vector<std::string>& paths, const ImportOptions& options,
                                    const std::function<bool(const ImportProgress&)>& watch) {
  const Lock lock(mutex_);
  return value_of(rondo::import_paths(open(), paths, options, watch));
}

void Library::each(const std::string& where, const std::function<void(const Piece&)>& visit) {
  const auto keys = chosen(where, "");
  const Lock lock(mutex_);
  value_of(open().each_piece(
      [&](const StoredPiece& stored) {
        if (!keys || std::binary_search(keys->begin(), keys->end(), stored.key)) visit(stored.piece);
        return true;
      },
      false));
}

std::optional<PieceKey> Library::find_key(const std::string& id) {
  const Lock lock(mutex_);
  return value_of(open().find_key(id));
}

std::optional<std::vector<PieceKey>> Library::chosen(const std::string& where, const std::string& text) {
  const Lock lock(mutex_);
  PieceChoice by_feature;
  if (!where.empty()) by_feature = value_of(pieces_where(open(), where, SqlLimits::owner()));
  return in_both(by_feature, value_of(pieces_with(open(), text)));
}

LibraryAnswer Library::search(const SearchRequest& request) {
  const Lock lock(mutex_);
  Collection& collection = open();
  if (snapshot_ && !value_of(snapshot_->current(collection))) snapshot_.reset();
  if (!snapshot_) snapshot_ = value_of(CollectionSnapshot::open(collection));
  const SearchAnswer answer = value_of(snapshot_->search(collection, request));
  const SearchResult& result = answer.result;
  LibraryAnswer out{{}, result.compared, result.not_reached, result.too_short, result.filtered_out};
  for (const Found& found : result.hits) {
    const Piece piece = value_of(collection.get(found.piece));
    out.hits.push_back({request.offset + out.hits.size() + 1, found.score.value, piece.id, found.voice,
                        piece.metadata.title, piece.metadata.composer, found.same.size(), found.probability});
  }
  return out;
}

}  // namespace rondo::python
