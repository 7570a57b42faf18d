// A .properties file as java.util.Properties.load(InputStream) reads it (which is what Kafka calls), and the
// one kind of change that the agent makes to it. Pure: bytes in, bytes out.
//
// Bytes are ISO-8859-1; they are never decoded and encoded again, so every byte outside the changed value
// stays.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace eos::properties {

// One key-value entry: a logical line, which continuation may spread over several natural ones.
struct Entry {
  std::string key;   // unescaped; characters above U+00FF (from \uXXXX) as UTF-8 preceded by the rest as
                     // Latin-1 bytes never compare equal to an ASCII key, which is all that we look for
  size_t line = 0;   // number of its first natural line, from 1
  size_t begin = 0;  // offset of its first byte (indentation included)
  size_t value_begin = 0;  // offset of the first byte of the raw value; == value_end if empty
  size_t value_end = 0;    // offset behind the last byte of the raw value (its line end is not part of it)
  size_t end = 0;          // offset behind its line end
  bool separated =
      false;  // a separator stands between key and value (a key alone on its line has an empty value)
};

// The file as a list of entries over the unchanged bytes.
class Document {
 public:
  // kFileUnparsable where Kafka could not load it: malformed \u escape in a key or value. The message names
  // the line and nothing of its content. Files above 4 MiB are refused (kFileUnparsable).
  static StatusOr<Document> Parse(std::string bytes);

  const std::string& bytes() const { return bytes_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // The entry that counts for `key` (the last one), or nothing.
  const Entry* Find(std::string_view key) const;
  // Lines of the earlier entries of `key`, which the last one shadows.
  std::vector<size_t> Shadowed(std::string_view key) const;
  // The value as Java returns it, for ASCII values; other characters come as '?'.
  std::string Value(const Entry& entry) const;
  std::string_view RawValue(const Entry& entry) const;  // its bytes, escapes and continuations included
  // The last line continues, and nothing follows: what is appended would become part of its value.
  bool open_at_end() const { return open_at_end_; }

 private:
  std::string bytes_;
  std::vector<Entry> entries_;
  bool open_at_end_ = false;
};

// Does Kafka take this value from a config provider at start ("${provider:…}" anywhere in it)?
bool IsIndirect(std::string_view value);

// The changes that are made to one file's bytes, together. The document outlives it; each key is named once.
class Edits {
 public:
  explicit Edits(const Document& document) : document_(document) {}

  // Only the value's bytes of the entry that counts change; where there is none, one line "key=value" is
  // appended with the file's own line end (a missing final line end is added first, and an open continuation
  // at the end is closed by an empty line). `raw_value` is written as it is: the caller escapes, or passes
  // bytes that RawValue gave.
  void Set(std::string_view key, std::string_view raw_value);
  // The entry that counts is taken out with its line end. No such entry: nothing.
  void Remove(std::string_view key);

  std::string Apply() const;

 private:
  struct Replacement {
    size_t begin = 0;
    size_t end = 0;
    std::string bytes;
  };
  std::string Appended(std::string bytes) const;

  const Document& document_;
  std::vector<Replacement> replacements_;
  std::vector<std::string> lines_;  // to append, without line end
};

}  // namespace eos::properties
