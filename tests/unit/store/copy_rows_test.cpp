#include "store/postgresql/copy_rows.h"

#include <gmock/gmock.h>

#include "rondo/store/collection.h"
#include "store/postgresql/connection.h"

namespace rondo::postgresql {
namespace {

using testing::ElementsAre;

/// The rows of a message, fed in pieces of this size, as texts.
std::vector<std::vector<std::string>> read_in_pieces(const std::string& bytes, std::size_t fields, std::size_t size) {
  CopyReader reader(fields);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    reader.add(std::string_view(bytes).substr(i, size));
    for (;;) {
      auto row = reader.next();
      if (!row) return {{row.error().code}};
      if (*row == nullptr) break;
      rows.emplace_back();
      for (const CopyField& field : **row) rows.back().emplace_back(field.value_or("NULL"));
    }
  }
  if (!reader.ended()) rows.push_back({"not ended"});
  return rows;
}

std::string two_rows() {
  CopyWriter writer;
  writer.row(3);
  writer.text("Menuet");
  writer.null();
  writer.bytes(std::string_view("\0\1", 2));
  writer.row(3);
  writer.text("");
  writer.bytes("x");
  writer.bytes("");
  writer.end();
  return writer.buffer();
}

TEST(CopyRows, AreReadAsTheyWereWrittenHoweverTheyArrive) {
  const std::string bytes = two_rows();
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    EXPECT_THAT(read_in_pieces(bytes, 3, size),
                ElementsAre(ElementsAre("Menuet", "NULL", std::string("\0\1", 2)), ElementsAre("", "x", "")))
        << size;
  }
}

TEST(CopyRows, WhatEndsTooEarlyIsNotComplete) {
  const std::string bytes = two_rows();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(read_in_pieces(bytes.substr(0, size), 3, 1000).back(), ElementsAre("not ended")) << size;
  }
}

TEST(CopyRows, WhatIsNoRowIsAnError) {
  std::string bytes = two_rows();
  EXPECT_THAT(read_in_pieces(bytes, 4, 1000), ElementsAre(ElementsAre("store-protocol")));
  bytes[0] = 'Q';
  EXPECT_THAT(read_in_pieces(bytes, 3, 1000), ElementsAre(ElementsAre("store-protocol")));
  std::string huge = two_rows().substr(0, 19);
  huge += std::string("\0\3\x7F\xFF\xFF\xFF", 6);
  EXPECT_THAT(read_in_pieces(huge, 3, 1000), ElementsAre(ElementsAre("store-protocol")));
}

TEST(CopyRows, NumbersKeepTheirSign) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    CopyWriter writer;
    writer.row(1);
    writer.integer(value);
    writer.end();
    CopyReader reader(1);
    reader.add(writer.buffer());
    auto row = reader.next();
    ASSERT_TRUE(row && *row != nullptr);
    EXPECT_EQ(integer_of((*row)->front()), value);
  }
  EXPECT_EQ(integer_of("1234567").error().code, "store-protocol");
  EXPECT_EQ(integer_of(std::nullopt).error().code, "store-protocol");
}

TEST(CopyRows, ATextThatPostgresqlCannotHoldComesBackAsItWas) {
  for (const std::string& text : {std::string("plain"), std::string(), std::string("caf\xE9"), std::string("a\0b", 3),
                                  std::string("\\x41"), std::string("\\x"), std::string("Bärenreiter")}) {
    const std::string stored = stored_text(text);
    EXPECT_EQ(stored.find('\0'), std::string::npos);
    EXPECT_EQ(original_text(stored), text);
  }
  EXPECT_EQ(stored_text("plain"), "plain");
  EXPECT_EQ(original_text("\\x4").error().code, "store-protocol");
  EXPECT_EQ(original_text("\\x4G").error().code, "store-protocol");
}

TEST(ServerAddress, IsToldFromAFile) {
  EXPECT_TRUE(is_server_address("postgresql://localhost/music"));
  EXPECT_TRUE(is_server_address("postgres://localhost/music"));
  EXPECT_FALSE(is_server_address("postgresql.db"));
  EXPECT_FALSE(is_server_address("./postgresql:"));
}

TEST(ServerAddress, IsShownWithoutItsPassword) {
  EXPECT_EQ(shown_name("postgresql://me:secret@host:5433/music"), "postgresql://me@host:5433/music");
  EXPECT_EQ(shown_name("postgresql://me:se@cret@host/music"), "postgresql://me@host/music");
  EXPECT_EQ(shown_name("postgresql://host:5433/music"), "postgresql://host:5433/music");
  EXPECT_EQ(shown_name("postgresql:///music?user=me&password=secret&host=/run"),
            "postgresql:///music?user=me&password=...&host=/run");
  EXPECT_EQ(shown_name("music.db"), "music.db");
}

}  // namespace
}  // namespace rondo::postgresql
