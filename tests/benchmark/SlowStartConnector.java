package org.connecteos.test;

import java.util.Map;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.file.FileStreamSourceConnector;
import org.apache.kafka.connect.file.FileStreamSourceTask;

/** FileStreamSource whose tasks take ten seconds to start, as those do that open many connections first. */
public final class SlowStartConnector extends FileStreamSourceConnector {
    @Override
    public Class<? extends Task> taskClass() {
        return SlowTask.class;
    }

    public static final class SlowTask extends FileStreamSourceTask {
        @Override
        public void start(Map<String, String> properties) {
            try {
                Thread.sleep(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.start(properties);
        }
    }
}
