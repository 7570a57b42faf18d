#include "agent/properties/waiting.h"

#include <gmock/gmock.h>

namespace eos::properties {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// As Connect 4.0.0 prints them.
const std::map<std::string, std::string> kParsed{
    {"bootstrap.servers", "[a:9092, b:9092]"},
    {"client.id", ""},
    {"exactly.once.source.support", "disabled"},
    {"group.id", "connect"},
    {"key.converter", "class org.apache.kafka.connect.json.JsonConverter"},
    {"offset.flush.interval.ms", "60000"},
    {"plugin.path", "[/opt/p]"},
    {"rest.extension.classes", "[]"},
    {"scheduled.rebalance.max.delay.ms", "300000"},
    {"ssl.key.password", "[hidden]"},
    {"ssl.protocol", "null"},
    {"topic.creation.enable", "true"},
};

TEST(WaitingEdits, NothingWaitsWhereTheFileSaysTheSameInItsOwnSpelling) {
  EXPECT_THAT(
      WaitingEdits("bootstrap.servers = a:9092,b:9092\ngroup.id=connect \noffset.flush.interval.ms=060000\n"
                   "key.converter=org.apache.kafka.connect.json.JsonConverter\nplugin.path=/opt/p\n"
                   "topic.creation.enable=TRUE\nrest.extension.classes=\nssl.protocol=\n",
                   kParsed),
      IsEmpty());
}

TEST(WaitingEdits, TellsTheKeysThatARestartWouldBringIntoForce) {
  EXPECT_THAT(WaitingEdits("group.id=other\nbootstrap.servers=a:9092\nplugin.path=/opt/p,/opt/q\n"
                           "offset.flush.interval.ms=1000\ntopic.creation.enable=false\n",
                           kParsed),
              ElementsAre("bootstrap.servers", "group.id", "offset.flush.interval.ms", "plugin.path",
                          "topic.creation.enable"));
}

TEST(WaitingEdits, OurOwnKeysAndWhatCannotBeComparedAreLeftOut) {
  EXPECT_THAT(WaitingEdits("exactly.once.source.support=enabled\nscheduled.rebalance.max.delay.ms=1\n"
                           "ssl.key.password=Tr0ub4dor-test\ngroup.id=${file:/x:y}\nproducer.acks=1\n"
                           "client.id=caf\xe9\n",
                           kParsed),
              IsEmpty());
}

TEST(WaitingEdits, T18_AFileThatKafkaCannotLoadIsSomebodyElsesMatter) {
  EXPECT_THAT(WaitingEdits("a=\\u00zz\ngroup.id=other\n", kParsed), IsEmpty());
}

}  // namespace
}  // namespace eos::properties
